import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { ImportPlan } from "#contract/site/cv-import.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { emptyCv, importInto, openCv, readRows } from "./test-cv.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const OPEN = {
  basics: { name: "Işıl Örnek", profiles: [{ network: "Open", url: "https://open.test" }] },
  work: [{ name: "Open", position: "Open", startDate: "2020" }],
  education: [{ institution: "Open", area: "Open", startDate: "2010" }],
  certificates: [
    { name: "Open", date: "2024" },
    { name: "Last", date: "2025" },
  ],
  skills: [{ name: "Open" }],
};
const ALL = {
  basics: {
    name: "Işıl Örnek",
    profiles: [...OPEN.basics.profiles, { network: "Secret", url: "https://secret.test" }],
  },
  work: [...OPEN.work, { name: "Secret", position: "Secret", startDate: "2021" }],
  education: [...OPEN.education, { institution: "Secret", area: "Secret", startDate: "2011" }],
  certificates: [
    { name: "Open", date: "2024" },
    { name: "Secret", date: "2023" },
    { name: "Last", date: "2025" },
  ],
  skills: [...OPEN.skills, { name: "Secret" }],
};
const TABLES = ["cv_link", "cv_experience", "cv_education", "cv_certificate", "cv_skill"];

beforeEach(async () => {
  await emptyCv(database.pool);
  await importInto(database.pool, ALL);
  await setHidden(true);
});

async function setHidden(isHidden: boolean): Promise<void> {
  for (const table of TABLES)
    await database.pool.query(`UPDATE ${table} item SET is_hidden = $1 WHERE item::text LIKE '%Secret%'`, [
      isHidden,
    ]);
}

/** Everything that visitors and programs are shown, in both languages. */
async function readPublic(): Promise<string> {
  const cv = openCv(database.pool);
  const answers = (["en", "tr"] as const).map(async (lang) => [
    await cv.getCv(lang),
    JSON.parse(await cv.getResume(lang)),
  ]);
  return JSON.stringify(await Promise.all(answers));
}

async function readHidden(): Promise<Record<string, unknown>[]> {
  const rows = await Promise.all(TABLES.map((table) => readRows(database.pool, table)));
  return rows.flat().filter((row) => row.is_hidden === true);
}

test("what is hidden is nowhere, until it is shown again", async () => {
  expect(await readHidden()).toHaveLength(TABLES.length);
  const shown = await readPublic();
  expect(shown).toContain("Open");
  expect(shown).not.toMatch(/secret/i);
  await setHidden(false);
  for (const name of ["Secret", "https://secret.test"]) expect(await readPublic()).toContain(name);
});

describe("an import", () => {
  describe("over a section that the owner hid", () => {
    beforeEach(async () => {
      await setHidden(false);
      await database.pool.query(
        `INSERT INTO cv_section (model, label, is_hidden) VALUES ('cv.certificate', '{"en": "Certificates", "tr": "Sertifikalar"}', true)`,
      );
    });
    afterEach(async () => {
      await database.pool.query("DELETE FROM cv_section");
    });
    const readCertificates = async () =>
      (await readRows(database.pool, "cv_certificate")).map(({ label, issued_on }) => [label, issued_on]);
    const pick = ({ sections }: ImportPlan) => sections.find(({ name }) => name === "certificates");

    test("keeps its rows where the file has nothing of it, as our own export, and asks about them", async () => {
      const before = await readRows(database.pool, "cv_certificate");
      const resume = await openCv(database.pool).getResume("en");
      expect(resume).not.toContain("certificates");
      const report = await importInto(database.pool, resume);
      expect(report.is_unchanged).toBe(true);
      expect(pick(report)?.items.map(({ kind, gone_choices }) => [kind, gone_choices])).toEqual(
        Array.from({ length: 3 }, () => ["kept", ["remove", "keep"]]),
      );
      expect(await readRows(database.pool, "cv_certificate")).toEqual(before);
    });

    test("recognises its items, renamed ones too, and keeps one that the file doesn't name, unless somebody says otherwise", async () => {
      const certificates = [
        { name: "Opened", date: "2024" },
        { name: "Last", date: "2026" },
        { name: "New" },
      ];
      const report = await importInto(database.pool, { ...ALL, certificates });
      expect(pick(report)).toMatchObject({
        is_hidden: true,
        counts: { renamed: 1, changed: 1, new: 1, removed: 0, kept: 1 },
      });
      expect(await readCertificates()).toEqual([
        [{ en: "Opened", tr: null }, "2024"],
        [{ en: "Secret", tr: null }, "2023"],
        [{ en: "Last", tr: null }, "2026"],
        [{ en: "New", tr: null }, null],
      ]);
      expect(await readPublic()).not.toMatch(/Opened|2026/);
      const again = await importInto(database.pool, { ...ALL, certificates });
      expect(again.is_unchanged).toBe(true);
      const kept = pick(again)?.items.find(({ kind }) => kind === "kept");
      const gone = { [kept?.key ?? ""]: "remove" as const };
      const last = await importInto(database.pool, { ...ALL, certificates }, "en", { gone, matches: {} });
      expect(pick(last)?.counts).toMatchObject({ removed: 1, kept: 0 });
      expect(await readCertificates()).toHaveLength(3);
    });

    test("joins the other language with its rows", async () => {
      const certificates = [
        { name: "Açık", date: "2024" },
        { name: "Gizli", date: "2023" },
        { name: "Son", date: "2025" },
      ];
      await importInto(database.pool, { ...ALL, certificates }, "tr");
      expect(await readCertificates()).toEqual([
        [{ en: "Open", tr: "Açık" }, "2024"],
        [{ en: "Secret", tr: "Gizli" }, "2023"],
        [{ en: "Last", tr: "Son" }, "2025"],
      ]);
    });
  });

  test("of what was exported changes nothing", async () => {
    const resume = await openCv(database.pool).getResume("en");
    expect(await importInto(database.pool, resume)).toMatchObject({ is_unchanged: true });
  });

  test("of what was exported leaves a hidden item alone that is like a visible one behind it", async () => {
    await database.pool.query(
      `INSERT INTO cv_certificate (label, issued_on, position, is_hidden)
       VALUES ('{"en": "Open", "tr": null}', '2024', 0, true)`,
    );
    const { getResume } = openCv(database.pool);
    const resume = await getResume("en");
    expect(await importInto(database.pool, resume)).toMatchObject({ counts: { removed: 0 } });
    expect(await getResume("en")).toBe(resume);
  });

  test.each(["en", "tr"] as const)("in %s without them leaves hidden items as they were", async (lang) => {
    const before = await readHidden();
    await importInto(database.pool, OPEN, lang);
    expect(await readHidden()).toEqual(before);
  });

  test("that names them writes them, and they stay hidden", async () => {
    const changed = { ...ALL, certificates: [...OPEN.certificates, { name: "Secret", date: "2022" }] };
    const report = await importInto(database.pool, changed);
    expect(report.counts).toMatchObject({ new: 0, removed: 0, reduced: 0 });
    expect(await readHidden()).toHaveLength(TABLES.length);
    expect(await readHidden()).toContainEqual(expect.objectContaining({ issued_on: "2022" }));
    expect(await readPublic()).not.toMatch(/secret/i);
  });

  test("shows what is new, also when a hidden item has the same dates, and keeps both", async () => {
    const before = await readHidden();
    await importInto(database.pool, {
      ...OPEN,
      work: [...OPEN.work, { name: "New", position: "New", startDate: "2021" }],
      education: [...OPEN.education, { institution: "New", area: "New", startDate: "2011" }],
      certificates: [OPEN.certificates[0], { name: "New", date: "2023" }, OPEN.certificates[1]],
      skills: [...OPEN.skills, { name: "New" }],
    });
    const strip = (rows: Record<string, unknown>[]) =>
      rows.map(({ position: _position, updated_at: _updated, ...row }) => row);
    expect(strip(await readHidden())).toEqual(strip(before));
    const cv = await openCv(database.pool).getCv("en");
    for (const items of [cv.experience, cv.education, cv.certificates, cv.confidences])
      expect(JSON.stringify(items)).toContain("New");
  });

  test("of the other language finds a hidden item by its facts, and it stays hidden", async () => {
    const report = await importInto(
      database.pool,
      { ...OPEN, certificates: [...OPEN.certificates, { name: "Gizli", date: "2023" }] },
      "tr",
    );
    expect(report.counts.new).toBe(0);
    expect(await readHidden()).toContainEqual(
      expect.objectContaining({ label: { en: "Secret", tr: "Gizli" } }),
    );
    expect(await readPublic()).not.toContain("Gizli");
  });
});
