import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { LANGUAGES } from "#contract/languages.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { emptyCv, openCv, openImports } from "../test-cv.ts";
import { findSchemaFaults } from "./faults.ts";
import { parseResume } from "./resume-file.ts";
import { fillRandomly } from "./test-random-state.ts";

const STATES = Number(process.env.FOYER_RANDOM_STATES ?? 30);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const CASES = Array.from({ length: STATES }, (_, seed) =>
  LANGUAGES.map((lang) => [seed, lang] as const),
).flat();

test.each(CASES)(
  "state %i in %s: the export is valid and comes back byte by byte, here and on an empty database",
  async (seed, lang) => {
    const publicUrl = seed % 2 ? "https://me.example.org" : undefined;
    const cv = openCv(database.pool, publicUrl);
    const imports = openImports(database.pool, publicUrl);
    const importFile = async (text: string) => {
      const about = {
        document: parseResume(text),
        format: "json_resume" as const,
        lang,
        fileName: "resume.json",
        actor: SYSTEM_ACTOR,
        reader: "en" as const,
      };
      return (await imports.apply(about)).plan;
    };
    await emptyCv(database.pool);
    await fillRandomly(database.pool, seed);

    const first = await cv.getResume(lang);
    expect(findSchemaFaults(JSON.parse(first))).toEqual([]);
    await importFile(first);
    expect(await cv.getResume(lang)).toBe(first);
    expect((await importFile(first)).is_unchanged).toBe(true);

    await emptyCv(database.pool);
    await importFile(first);
    expect(await cv.getResume(lang)).toBe(first);
  },
);
