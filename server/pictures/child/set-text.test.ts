import { describe, expect, test } from "@jest/globals";
import { type Fit, layOutText } from "./set-text.ts";

/** Every letter is half as wide as the font is high. */
const measure = (text: string, fontSize: number) => (text.length * fontSize) / 2;
const FITS: [Fit, Fit] = [
  { maxLines: 1, largest: 20, smallest: 16 },
  { maxLines: 2, largest: 16, smallest: 10 },
];
const layOut = (text: string) => layOutText(text, 100, FITS, measure);

describe("a text", () => {
  test.each<[string, string, number, string[]]>([
    ["that is short is as large as it may be", "Ada", 20, ["Ada"]],
    ["that is longer is smaller", "Ada Lovelace", 16, ["Ada Lovelace"]],
    ["without spaces around its words is set the same", "  Ada\n Lovelace\t", 16, ["Ada Lovelace"]],
    ["of two lines has even ones", "one two three four", 16, ["one two", "three four"]],
    ["of long words shrinks until they fit", "Muvaffakiyetsiz birisi", 12, ["Muvaffakiyetsiz", "birisi"]],
    ["whose word fits in no size is broken", "a".repeat(30), 10, ["a".repeat(20), "a".repeat(10)]],
    [
      "that fits in no way is cut",
      "one two three four five six seven eight nine",
      10,
      ["one two three four", "five six seven eigh…"],
    ],
    [
      "is not cut after a comma",
      `${"a".repeat(20)} bbbbbbbbbbbbbbbb, cccc dd`,
      10,
      ["a".repeat(20), "bbbbbbbbbbbbbbbb…"],
    ],
    ["that is empty has no lines", "", 20, []],
  ])("%s", (_, text, fontSize, lines) => {
    expect(layOut(text)).toEqual({ fontSize, lines });
  });

  test("never has a line that is too wide or one too many", () => {
    for (let words = 1; words < 40; words++) {
      for (const length of [1, 5, 12, 19, 21, 50]) {
        const { fontSize, lines } = layOut(Array(words).fill("ş".repeat(length)).join(" "));
        expect(lines.length).toBeLessThanOrEqual(2);
        for (const line of lines) expect(measure(line, fontSize)).toBeLessThanOrEqual(100);
      }
    }
  });

  test("is broken between letters, never inside one", () => {
    const family = "👨‍👩‍👧‍👦";
    const { lines } = layOut(family.repeat(9));
    expect(lines.join("").replaceAll(family, "")).toMatch(/^…?$/);
  });
});
