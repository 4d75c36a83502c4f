import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { ImportChoices } from "#contract/site/cv-import.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { createSampleSite, type SampleSite } from "#server/sample/fixture.ts";
import { hasSampleRows } from "#server/sample/service.ts";
import { RESUMES } from "#test/resumes/samples.ts";
import { importInto, openImports, RESUME_MODELS, readSample, SECTIONS } from "../test-cv.ts";

let site: SampleSite;
beforeEach(async () => {
  site = await createSampleSite();
  await site.start();
});
afterEach(() => site.database.close());

/** Every row of the CV as its table has it, with its sample marks. */
async function readAll(): Promise<unknown> {
  const { pool } = site.database;
  const tables = [...SECTIONS.map(({ model }) => model.table), "sample_row"];
  const states = [];
  for (const table of tables) {
    const { rows } = await pool.query(
      `SELECT to_jsonb(item) AS row FROM ${table} item ORDER BY to_jsonb(item)::text`,
    );
    states.push([table, rows]);
  }
  return states;
}

const undo = (isPartial = false) =>
  openImports(site.database.pool).undo({ actor: SYSTEM_ACTOR, isPartial, lang: "en" });
const importFile = async (path: string, lang: "en" | "tr", answers?: ImportChoices) =>
  importInto(site.database.pool, await readSample(path), lang, answers);

test("an undo brings back every row as it was, sample content as sample content", async () => {
  const before = await readAll();
  await importFile(RESUMES.engineerEn, "en");
  expect(await hasSampleRows(site.database.pool, RESUME_MODELS)).toBe(false);
  await undo();
  expect(await readAll()).toEqual(before);
  expect(await hasSampleRows(site.database.pool, RESUME_MODELS)).toBe(true);
});

test("imports are taken back one after the other, the newest first", async () => {
  const states = [await readAll()];
  for (const [path, lang] of [
    [RESUMES.engineerEn, "en"],
    [RESUMES.engineerTr, "tr"],
    [RESUMES.researcher, "en"],
    [RESUMES.minimal, "tr"],
  ] as const) {
    await importFile(path, lang);
    states.push(await readAll());
  }
  for (const state of states.slice(0, -1).reverse()) {
    await undo();
    expect(await readAll()).toEqual(state);
  }
  await expect(undo()).rejects.toMatchObject({ code: "nothing_to_undo" });
});

test("what people changed, deleted or made in its place since is named and left, the rest goes back", async () => {
  const { pool } = site.database;
  await importFile(RESUMES.engineerEn, "en");
  await importFile(RESUMES.minimal, "en");
  await importFile(RESUMES.everything, "en");
  await pool.query(`UPDATE cv_skill SET level = '{"en": "mine"}', updated_at = clock_timestamp()`);
  await pool.query("UPDATE cv_profile SET phone = '1', updated_at = clock_timestamp()");
  await pool.query("DELETE FROM cv_award");
  await expect(undo()).rejects.toMatchObject({
    code: "undo_conflicts",
    extra: {
      conflicts: [
        { section: "Tools", title: "Skill", reason: "changed" },
        { section: "CV profile", title: "Every Key", reason: "changed" },
      ],
    },
  });
  const report = await undo(true);
  expect(report.left).toHaveLength(2);
  const { rows } = await pool.query("SELECT name FROM cv_profile");
  expect(rows).toEqual([{ name: "Every Key" }]);
  expect((await pool.query("SELECT FROM cv_experience")).rowCount).toBe(0);
  expect((await pool.query("SELECT FROM cv_skill")).rowCount).toBe(1);
});

test("an undo leaves entries of one batch, and a file that was deleted since is left out", async () => {
  const { pool } = site.database;
  await importFile(RESUMES.minimal, "en");
  await pool.query("DELETE FROM sample_row WHERE model = 'files.stored_file'");
  await pool.query("DELETE FROM stored_file");
  await undo();
  const { rows } = await pool.query<{ count: string; batches: string }>(
    "SELECT count(*), count(DISTINCT batch_id) AS batches FROM audit_entry WHERE detail = 'import_undo'",
  );
  expect(rows[0]?.batches).toBe("1");
  expect(Number(rows[0]?.count)).toBeGreaterThan(30);
  expect((await pool.query("SELECT FROM cv_certificate WHERE file IS NOT NULL")).rowCount).toBe(0);
  expect((await pool.query("SELECT FROM cv_certificate")).rowCount).toBe(15);
});
