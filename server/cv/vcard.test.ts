import { describe, expect, test } from "@jest/globals";
import type { Cv } from "#contract/site/cv.ts";
import { EMPTY_CV } from "#test/empty-cv.ts";
import { buildVcard, toFileName } from "./vcard.ts";

const PAGE = "https://isil.example/cv";
const build = (part: Partial<Cv>) => buildVcard({ ...EMPTY_CV, name: "Işıl Örnek", ...part }, PAGE);
/** The card's lines as a reader of the format sees them: pieces put together again. */
const unfold = (card: string) => card.replaceAll("\r\n ", "").split("\r\n");
const lineOf = (card: string, name: string) => unfold(card).find((line) => line.startsWith(name));

describe("a card", () => {
  test("says who it is, what they do and where to reach them", () => {
    const card = build({
      name: "Ayşe Gül Çağlar",
      title: "Yazılım Mühendisi",
      email: "ayse@example.org",
      website: "https://ayse.example",
      photo: "/files/0a.png",
      tagline: "Kuyruklar",
      links: [{ network: "GitHub", url: "https://github.com/ayse", username: "ayse" }],
      address: { ...EMPTY_CV.address, district: "Kadıköy", province: "İstanbul", country: "Türkiye" },
    });
    expect(unfold(card)).toEqual([
      "BEGIN:VCARD",
      "VERSION:3.0",
      "FN:Ayşe Gül Çağlar",
      "N:Çağlar;Ayşe Gül;;;",
      "TITLE:Yazılım Mühendisi",
      "EMAIL;TYPE=INTERNET:ayse@example.org",
      "ADR:;;;Kadıköy;İstanbul;;Türkiye",
      `URL:${PAGE}`,
      "URL:https://ayse.example/",
      "item1.URL:https://github.com/ayse",
      "item1.X-ABLabel:GitHub",
      "PHOTO;VALUE=uri:https://isil.example/files/0a.png",
      "NOTE:Kuyruklar",
      `UID:${PAGE}`,
      "END:VCARD",
      "",
    ]);
  });

  test("of a name alone has no line without a value", () => {
    expect(unfold(build({ name: "Cher" }))).toEqual([
      "BEGIN:VCARD",
      "VERSION:3.0",
      "FN:Cher",
      "N:;Cher;;;",
      `URL:${PAGE}`,
      `UID:${PAGE}`,
      "END:VCARD",
      "",
    ]);
  });

  test.each([
    ["commas, semicolons and backslashes", "A, B; C\\D", "A\\, B\\; C\\\\D"],
    ["ends of lines of every kind", "one\r\ntwo\rthree\nfour\u2028five", "one\\ntwo\\nthree\\nfour\\nfive"],
    ["control characters, which it drops", "bell\u0007\u0000s", "bells"],
    ["a line that would end the card", "x\nEND:VCARD\nTEL:1", "x\\nEND:VCARD\\nTEL:1"],
  ])("marks %s", (_what, tagline, value) => {
    expect(lineOf(build({ tagline }), "NOTE:")).toBe(`NOTE:${value}`);
  });

  test("has lines of at most 75 octets, and none ends inside of a character", () => {
    const tagline = "şüğıöç🙂".repeat(60);
    const card = build({ tagline });
    const lines = card.split("\r\n");
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(lines.filter((line) => line.startsWith(" ")).length).toBeGreaterThan(5);
    expect(card).not.toContain("\ufffd");
    expect(card.isWellFormed()).toBe(true);
    expect(lineOf(card, "NOTE:")).toBe(`NOTE:${tagline}`);
  });

  test("names no address that the page makes no link of", () => {
    const card = build({
      website: "javascript:alert(1)",
      links: [
        { network: "None", url: "somewhere", username: null },
        { network: "Mine", url: "https://örnek.example/ş", username: null },
      ],
    });
    expect(card).not.toMatch(/javascript|somewhere|None/);
    expect(lineOf(card, "item2.URL:")).toBe("item2.URL:https://xn--rnek-4qa.example/%C5%9F");
  });
});

test.each([
  ["Işıl Örnek", "isil-ornek"],
  ["  O'Brien / Ünal ", "o-brien-unal"],
  ["李", "cv"],
])("the file of %j is called %j", (name, file) => {
  expect(toFileName(name)).toBe(file);
});
