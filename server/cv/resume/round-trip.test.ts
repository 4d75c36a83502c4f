import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import schema from "@jsonresume/schema/schema.json" with { type: "json" };
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { RESUMES } from "#test/resumes/samples.ts";
import { emptyCv, importInto, openCv, readSample } from "../test-cv.ts";

const ajv = new Ajv({ allErrors: true });
addFormats.default(ajv);
const isValid = ajv.compile(schema);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyCv(database.pool));

const exportFrom = (lang: Language) => openCv(database.pool).getResume(lang);

function expectValid(text: string): void {
  isValid(JSON.parse(text));
  expect(isValid.errors ?? []).toEqual([]);
}

const OLDER_KEYS: Record<string, string> = {
  picture: "image",
  website: "url",
  company: "name",
  gpa: "score",
};

/** What of `given` is not in `kept`, blank texts and empty lists and objects apart: they say nothing. */
function findLost(given: unknown, kept: unknown, path = ""): string[] {
  if (given === null || typeof given !== "object") {
    const isBlank = typeof given === "string" && given.trim() === "";
    const isSame = given === kept || (typeof given === "string" && given.trim() === kept);
    return isBlank || isSame ? [] : [`${path}: ${JSON.stringify(given)} → ${JSON.stringify(kept)}`];
  }
  if (Array.isArray(given) && path.endsWith(".highlights")) {
    return findLost(
      { ...given.filter((text) => typeof text !== "string" || text.trim() !== "") },
      kept,
      path,
    );
  }
  return Object.entries(given).flatMap(([key, inner]) => {
    const renamed = OLDER_KEYS[key] ?? key;
    const parts = new Map<string, unknown>(Object.entries((kept as object | undefined) ?? {}));
    const hasIt = parts.has(key) && !(renamed !== key && parts.get(key) === undefined);
    return findLost(inner, parts.get(hasIt ? key : renamed), `${path}.${key}`);
  });
}

const SAMPLES = Object.entries(RESUMES).flatMap(([name, path]) =>
  LANGUAGES.map((lang) => [name, lang, path] as const),
);

test.each(SAMPLES)(
  "%s as %s: the export is valid, holds the whole file, and comes back byte by byte",
  async (_name, lang, path) => {
    const text = await readSample(path);
    await importInto(database.pool, text, lang);
    const first = await exportFrom(lang);
    expectValid(first);
    expect(findLost(JSON.parse(text), JSON.parse(first))).toEqual([]);

    await importInto(database.pool, first, lang);
    expect(await exportFrom(lang)).toBe(first);

    await emptyCv(database.pool);
    await importInto(database.pool, first, lang);
    expect(await exportFrom(lang)).toBe(first);
  },
);

test.each(SAMPLES)("%s as %s: the same file again changes nothing and says so", async (_name, lang, path) => {
  const text = await readSample(path);
  await importInto(database.pool, text, lang);
  const before = await database.pool.query("SELECT count(*) AS entries FROM audit_entry");
  const report = await importInto(database.pool, text, lang);
  expect(report.is_unchanged).toBe(true);
  expect((await database.pool.query("SELECT count(*) AS entries FROM audit_entry")).rows).toEqual(
    before.rows,
  );
});

const NAMES = Object.entries(RESUMES);
/** Each sample with itself and with the next two. */
const PAIRS = NAMES.flatMap(([en, enPath], index) =>
  [0, 1, 2].map((step) => {
    const [tr, trPath] = NAMES[(index + step) % NAMES.length] ?? [en, enPath];
    return [en, tr, enPath, trPath] as const;
  }),
);

test.each(PAIRS)(
  "%s in English with %s in Turkish: each export comes back and leaves the other alone",
  async (_en, _tr, enPath, trPath) => {
    await importInto(database.pool, await readSample(enPath), "en");
    await importInto(database.pool, await readSample(trPath), "tr");
    const first = { en: await exportFrom("en"), tr: await exportFrom("tr") };
    for (const lang of LANGUAGES) {
      expectValid(first[lang]);
      await importInto(database.pool, first[lang], lang);
      expect({ en: await exportFrom("en"), tr: await exportFrom("tr") }).toEqual(first);
    }
  },
);

test("an empty database exports a valid file", async () => {
  const text = await exportFrom("tr");
  expectValid(text);
  await importInto(database.pool, text, "tr");
  expect(await exportFrom("tr")).toBe(text);
});
