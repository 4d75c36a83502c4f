import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";

const LOCALES = join(process.cwd(), "locales");

/** Every text of a file by its path; plural forms are compared by their stem, since languages differ in them. */
function readTexts(lang: string, file: string): Map<string, string> {
  const texts = new Map<string, string>();
  const collect = (value: unknown, path: string) => {
    if (typeof value === "object" && value !== null) {
      for (const [key, child] of Object.entries(value)) collect(child, path ? `${path}.${key}` : key);
    } else texts.set(path, String(value));
  };
  collect(JSON.parse(readFileSync(join(LOCALES, lang, file), "utf8")), "");
  return texts;
}

const toStem = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, "_plural");
const toSlots = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();
const listFiles = (lang: string) => readdirSync(join(LOCALES, lang)).sort();

test("both languages have the same files", () => {
  expect(listFiles("tr")).toEqual(listFiles("en"));
});

describe.each(listFiles("en"))("%s", (file) => {
  const en = readTexts("en", file);
  const tr = readTexts("tr", file);

  test("has the same keys in both languages", () => {
    const toKeys = (texts: Map<string, string>) => [...new Set([...texts.keys()].map(toStem))].sort();
    expect(toKeys(tr)).toEqual(toKeys(en));
  });

  test("has no empty text", () => {
    const empty = [...en, ...tr].filter(([, text]) => text.trim() === "").map(([key]) => key);
    expect(empty).toEqual([]);
  });

  test("has the same slots in both languages", () => {
    const different = [...en]
      .filter(([key, text]) => tr.has(key) && toSlots(text).join() !== toSlots(tr.get(key) ?? "").join())
      // A singular may leave its number out.
      .filter(([key]) => !key.endsWith("_one"))
      .map(([key]) => key);
    expect(different).toEqual([]);
  });
});
