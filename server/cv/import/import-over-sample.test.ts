import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { CV_TABLES, createSampleSite, type SampleSite } from "#server/sample/fixture.ts";
import { hasSampleRows } from "#server/sample/service.ts";
import { INVALID_RESUMES, RESUMES } from "#test/resumes/samples.ts";
import { ResumeError } from "../resume/faults.ts";
import { importInto, openCv, planInto, RESUME_MODELS, readSample } from "../test-cv.ts";

let site: SampleSite;
beforeEach(async () => {
  site = await createSampleSite();
  await site.start();
});
afterEach(() => site.database.close());

/** All that the CV says, as one text. */
async function readAll(): Promise<string> {
  const tables = CV_TABLES.map((table) => `(SELECT json_agg(item)::text FROM ${table} item)`);
  const [text] = await site.readColumn(`SELECT concat_ws(' ', ${tables.join(", ")})`);
  return String(text);
}

const countCv = async () => Promise.all(CV_TABLES.map((table) => site.count(table)));
const importFile = async (path: string, lang: "en" | "tr") =>
  importInto(site.database.pool, await readSample(path), lang);

/** Words that every sample row has at least one of, in its English or its Turkish side. */
const SAMPLE_WORDS =
  /Taslako|taslakoglu|nullhaven|Hiçliman|Kuyruk|Queue|Bulutlu|Çorap|Kılavuz|Daydreaming|Guild|Lonca|Duck|Ördek|Slowpoke|Kitchen|Sleepers|Exactly Once|ana dil|Lighthouses|night shift/i;

test("an English file alone leaves no sample text behind, in Turkish neither", async () => {
  expect(await readAll()).toMatch(SAMPLE_WORDS);
  await importFile(RESUMES.engineerEn, "en");
  expect(await readAll()).not.toMatch(SAMPLE_WORDS);
  expect(await countCv()).toEqual([1, 2, 3, 1, 2, 3, 0, 1, 0, 0, 2, 1, 0]);
  const { name, title, experience } = await openCv(site.database.pool).getCv("tr");
  expect([name, title, experience[0]?.company]).toEqual([
    "Işıl Örnek",
    "Software Engineer",
    "Anadolu Yazılım",
  ]);
});

test("English and then Turkish leave what both files say and nothing else, as in an empty CV", async () => {
  const empty = await createSampleSite();
  try {
    for (const [path, lang] of [
      [RESUMES.engineerEn, "en"],
      [RESUMES.engineerTr, "tr"],
    ] as const) {
      await importFile(path, lang);
      await importInto(empty.database.pool, await readSample(path), lang);
    }
    for (const lang of ["en", "tr"] as const) {
      const [over, into] = await Promise.all(
        [site, empty].map(({ database }) => openCv(database.pool).getResume(lang)),
      );
      expect(over).toBe(into);
    }
  } finally {
    await empty.database.close();
  }
});

test("a file with nothing but a name leaves nothing but a name", async () => {
  await importInto(site.database.pool, { basics: { name: "Işıl" } }, "tr");
  expect(await countCv()).toEqual(CV_TABLES.map((table) => (table === "cv_profile" ? 1 : 0)));
  expect(await site.readColumn("SELECT photo FROM cv_profile")).toEqual([null]);
});

test("a file that is imported during the first start ends alone, whichever is first", async () => {
  const early = await createSampleSite();
  try {
    await Promise.all([
      early.start(),
      importInto(early.database.pool, await readSample(RESUMES.engineerEn), "en"),
    ]);
    expect(await early.readColumn("SELECT name FROM cv_profile")).toEqual(["Işıl Örnek"]);
    expect(await early.count("cv_certificate")).toBe(2);
    expect(await hasSampleRows(early.database.pool, RESUME_MODELS)).toBe(false);
  } finally {
    await early.database.close();
  }
});

test("a file that is refused removes nothing", async () => {
  const before = await readAll();
  await expect(importFile(INVALID_RESUMES.manyFaults, "en")).rejects.toThrow(ResumeError);
  expect(await readAll()).toBe(before);
  expect(await hasSampleRows(site.database.pool, RESUME_MODELS)).toBe(true);
});

describe("a row that the owner edited", () => {
  test("is his: an import asks about it, and leaves the other language where that was chosen", async () => {
    await site.database.pool.query(
      `UPDATE cv_education SET institution = '{"en": "Mine", "tr": "Benim"}', updated_at = clock_timestamp() WHERE position = 2`,
    );
    const file = { basics: { name: "Işıl" } };
    const plan = await planInto(site.database.pool, file);
    const gone = plan.sections.flatMap(({ items }) => items.filter(({ kind }) => kind === "removed"));
    expect([plan.is_gentle, gone.map(({ gone_choices }) => gone_choices)]).toEqual([
      false,
      [["remove", "language", "keep"]],
    ]);
    const choices = { gone: { [gone[0]?.key ?? ""]: "language" as const }, matches: {} };
    await importInto(site.database.pool, file, "en", choices);
    expect(await site.readColumn("SELECT institution FROM cv_education")).toEqual([
      { en: null, tr: "Benim" },
    ]);
    expect(await hasSampleRows(site.database.pool, RESUME_MODELS)).toBe(false);
  });

  test("is the same thing for a file that names it", async () => {
    const [id] = await site.readColumn(
      "UPDATE cv_profile SET name = 'Işıl', updated_at = clock_timestamp() RETURNING id",
    );
    await importFile(RESUMES.engineerEn, "en");
    expect(await site.readColumn("SELECT id FROM cv_profile")).toEqual([id]);
  });
});

test("the removed rows have audit entries, and every process is notified", async () => {
  const work = () => importInto(site.database.pool, { basics: { name: "Işıl" } }, "en");
  expect(await site.receive(work)).toEqual(["audit.entry", ...RESUME_MODELS].sort());
  const removed = await site.readColumn(
    `SELECT model_name || ' ' || count(*) FROM audit_entry JOIN content_type c ON c.id = content_type_id
     WHERE action_type = 'DELETE' AND detail = 'sample' GROUP BY model_name ORDER BY 1`,
  );
  expect(removed).toEqual([
    "award 1",
    "certificate 15",
    "education 2",
    "experience 4",
    "interest 1",
    "language 2",
    "link 3",
    "profile 1",
    "project 1",
    "publication 1",
    "reference 1",
    "skill 7",
    "volunteer 1",
  ]);
});

test("an export of the sample that comes back keeps its certificates' files", async () => {
  const text = await openCv(site.database.pool).getResume("en");
  await importInto(site.database.pool, text.replaceAll("Ada Taslakoğlu", "Işıl Örnek"), "en");
  expect(await site.readColumn("SELECT count(file) FROM cv_certificate")).toEqual(["15"]);
  expect(await site.readColumn("SELECT count(photo) FROM cv_profile")).toEqual(["1"]);
  expect(await hasSampleRows(site.database.pool, RESUME_MODELS)).toBe(false);
});
