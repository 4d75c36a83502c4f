import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { LANGUAGES } from "#contract/languages.ts";
import { FIXED_PAGES } from "#contract/site/pages.ts";
import { detectMediaType } from "#server/files/service.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { buildRegistry, toModelKey } from "#server/models/registry/registry.ts";
import { CERTIFICATES } from "./certificates.ts";
import { SAMPLE_CONTENT } from "./content.ts";
import { readShippedFile } from "./seed-sample.ts";
import { CV_MODELS } from "./store.ts";

const REGISTRY = buildRegistry(DECLARED, new Map());
const FILES = join(import.meta.dirname, "files");

const values = SAMPLE_CONTENT.flatMap(({ declaration, rows }) =>
  rows.flatMap((row, index) =>
    Object.entries(row).map(([name, value]) => ({
      where: `${toModelKey(declaration)} ${index} ${name}`,
      field: REGISTRY.byKey.get(toModelKey(declaration))?.fieldByName.get(name),
      value,
    })),
  ),
);
const valuesOf = (kind: string) => values.filter(({ field }) => field?.kind.name === kind);
const shippedFiles = values.filter(({ field }) => field?.kind.holdsFile);

test("there is a row for every model of the CV", () => {
  expect(SAMPLE_CONTENT.map(({ declaration }) => toModelKey(declaration)).sort()).toEqual(
    [...CV_MODELS].sort(),
  );
  const onPage = REGISTRY.models.filter(({ site, sitePath }) => site && sitePath === "/cv");
  expect([...CV_MODELS].sort()).toEqual(onPage.map(({ key }) => key).sort());
  expect(SAMPLE_CONTENT.map(({ rows }) => rows.length)).toEqual([1, 3, 4, 2, 7, 15, 1, 1, 1, 1, 2, 1, 1]);
});

test("every text is there in both languages, and the lists have as many entries", () => {
  const localized = values.filter(({ field }) => field?.kind.name.startsWith("localized_"));
  expect(localized.length).toBeGreaterThan(60);
  for (const { where, value } of localized) {
    const { en, tr } = value as { en: string | string[]; tr: string | string[] };
    for (const side of [en, tr].flat()) expect(`${where}: ${side.trim()}`).toMatch(/: \S/);
    expect(`${where} ${[en].flat().length}`).toBe(`${where} ${[tr].flat().length}`);
  }
});

test("the console would take every value", () => {
  for (const { where, field, value } of values) {
    expect({ where, isDeclared: field !== undefined }).toEqual({ where, isDeclared: true });
    if (field && !field.kind.holdsFile && value !== null)
      expect({ where, ...field.kind.valueSchema(field).safeParse(value) }).toMatchObject({ success: true });
  }
});

test("nothing leads to a real account or mailbox", () => {
  for (const { value } of valuesOf("url"))
    expect(new URL(String(value)).hostname).toMatch(/(^|\.)example\.(com|org)$/);
  for (const { value } of valuesOf("email")) expect(value).toMatch(/@example\.org$/);
});

test("dates are partial: years and months", () => {
  const dates = valuesOf("partial_date").flatMap(({ value }) => (value === null ? [] : [String(value)]));
  expect(new Set(dates.map((date) => date.length))).toEqual(new Set([4, 7]));
});

describe("files", () => {
  test("each is what its name says, of a type that its field accepts", async () => {
    for (const { where, field, value } of shippedFiles) {
      const { content, mediaType } = await readShippedFile(String(value));
      expect({ where, type: await detectMediaType(content) }).toEqual({ where, type: mediaType });
      expect(field?.accept).toContain(mediaType);
    }
  });

  test("15 certificates: 6 PDF, 4 PNG, 3 JPEG, 2 SVG, all different", async () => {
    const files = await Promise.all(CERTIFICATES.map(({ file }) => readShippedFile(file ?? "")));
    const types = files.map(({ mediaType }) => mediaType);
    const count = (type: string) => types.filter((found) => found === type).length;
    expect(["application/pdf", "image/png", "image/jpeg", "image/svg+xml"].map(count)).toEqual([6, 4, 3, 2]);
    expect(new Set(files.map(({ key }) => key)).size).toBe(15);
  });

  test("none is there that the content doesn't name", async () => {
    const named = new Set(shippedFiles.map(({ value }) => value));
    expect((await readdir(FILES)).filter((name) => !named.has(name))).toEqual([]);
  });
});

describe.each(FIXED_PAGES)("the page %s", (slug) => {
  test.each(LANGUAGES)("has a title and some hundred words in %s", async (lang) => {
    const text = await readFile(join(import.meta.dirname, `pages/${slug}.${lang}.md`), "utf8");
    expect(text).toMatch(/^# \S.+\n\n\S/);
    expect(text.split(/\s+/).length).toBeGreaterThan(230);
    expect(text.split(/\s+/).length).toBeLessThan(1300);
  });

  test("has the same parts in both languages", async () => {
    const outline = async (lang: string) => {
      const text = await readFile(join(import.meta.dirname, `pages/${slug}.${lang}.md`), "utf8");
      return (text.match(/^(#+|-) /gm) ?? []).join("");
    };
    expect(await outline("tr")).toBe(await outline("en"));
  });
});
