import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { toRuns } from "#test/property-runs.ts";
import { RESUMES } from "#test/resumes/samples.ts";
import { emptyCv, importInto, openCv, readSample } from "../test-cv.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyCv(database.pool));

const importOne = ([document, lang]: readonly [object, Language]) =>
  importInto(database.pool, document, lang);

/** What visitors and programs see of the CV, in both languages; ids of rows apart. */
async function readCv(): Promise<unknown> {
  const cv = openCv(database.pool);
  const pages = [];
  for (const lang of LANGUAGES) {
    const page = JSON.stringify(await cv.getCv(lang)).replaceAll(/"id":\d+/g, '"id":0');
    pages.push(JSON.parse(page), JSON.parse(await cv.getResume(lang)));
  }
  return pages;
}

/** Things of a CV by their names in both languages; some are written alike. */
const SKILLS = [
  ["TypeScript", "TypeScript"],
  ["PostgreSQL", "PostgreSQL"],
  ["Version control", "Sürüm denetimi"],
  ["Teamwork", "Takım çalışması"],
  ["Go", "Go"],
  ["Kubernetes", "Kubernetes"],
] as const;
const JOBS = [
  ["Anadolu Yazılım", "Anadolu Yazılım", "Team Lead", "Takım Lideri", "2021-03"],
  ["Bosphorus Maps", "Boğaziçi Harita", "Developer", "Geliştirici", "2018"],
  ["Bosphorus Maps", "Boğaziçi Harita", "Mentor", "Rehber", "2018"],
  ["Seagull Café", "Café Martı", "Waiter", "Garson", "2012-05"],
  ["Own studio", "Kendi stüdyom", "Owner", "Sahibi", undefined],
] as const;
const WORDS = { en: ["English", "Turkish"], tr: ["İngilizce", "Türkçe"] };

type Pair = Record<Language, object>;

function toPair(
  skills: readonly (readonly [string, string])[],
  jobs: readonly (typeof JOBS)[number][],
): Pair {
  const write = (lang: Language) => ({
    basics: { name: "Işıl Örnek", label: lang === "en" ? "Engineer" : "Mühendis" },
    work: jobs.map(([en, tr, role, gorev, startDate]) => ({
      name: lang === "en" ? en : tr,
      position: lang === "en" ? role : gorev,
      ...(startDate && { startDate }),
    })),
    skills: skills.map(([en, tr]) => ({ name: lang === "en" ? en : tr })),
    languages: WORDS[lang].map((language) => ({ language })),
  });
  return { en: write("en"), tr: write("tr") };
}

/** One CV in both languages: some of the things, in some order. */
const pair = fc
  .tuple(fc.shuffledSubarray([...SKILLS]), fc.shuffledSubarray([...JOBS]))
  .map(([skills, jobs]) => toPair(skills, jobs));

const language = fc.constantFrom(...LANGUAGES);

test("why duplicates stayed: rows that other files left with Turkish alone no longer keep an item from its row", async () => {
  const files: Pair = toPair(SKILLS.slice(0, 3), []);
  await importOne([toPair([["Foo", "Sürüm denetimi"]], []).tr, "tr"]);
  await importOne([
    { ...files.en, skills: [{ name: "TypeScript", level: "x" }, { name: "PostgreSQL" }] },
    "en",
  ]);
  for (const lang of LANGUAGES) await importOne([files[lang], lang]);
  const { rows } = await database.pool.query("SELECT label FROM cv_skill ORDER BY position");
  expect(rows.map(({ label }) => label)).toEqual([
    { en: "TypeScript", tr: "TypeScript" },
    { en: "PostgreSQL", tr: "PostgreSQL" },
    { en: "Version control", tr: "Sürüm denetimi" },
  ]);
});

describe("whatever was imported before,", () => {
  test("the two files of a CV end in what they say, and again in nothing", async () => {
    const samples = await Promise.all(
      Object.values(RESUMES).map(async (path): Promise<object> => JSON.parse(await readSample(path))),
    );
    const junk = fc.oneof(
      fc.tuple(fc.constantFrom(...samples), language),
      fc.tuple(pair, language).map(([files, lang]): [object, Language] => [files[lang], lang]),
      // A file under the wrong language.
      fc.tuple(pair, language).map(([files, lang]): [object, Language] => [files.en, lang]),
    );
    const owners = await Promise.all(
      [RESUMES.engineerEn, RESUMES.engineerTr].map(
        async (path): Promise<object> => JSON.parse(await readSample(path)),
      ),
    );
    const own = fc.oneof(pair, fc.constant({ en: owners[0] ?? {}, tr: owners[1] ?? {} }));
    await fc.assert(
      fc.asyncProperty(fc.array(junk, { maxLength: 6 }), own, async (sequence, files) => {
        await emptyCv(database.pool);
        for (const lang of LANGUAGES) await importOne([files[lang], lang]);
        const wanted = await readCv();
        await emptyCv(database.pool);
        for (const file of sequence) await importOne(file);
        for (const lang of LANGUAGES) await importOne([files[lang], lang]);
        expect(await readCv()).toEqual(wanted);
        for (const lang of LANGUAGES) expect((await importOne([files[lang], lang])).is_unchanged).toBe(true);
      }),
      { numRuns: toRuns(15, 200) },
    );
  });
});
