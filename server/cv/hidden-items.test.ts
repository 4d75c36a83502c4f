import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
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
  test("asks nothing about the rows of a section that the owner hid, and leaves them alone", async () => {
    await setHidden(false);
    await database.pool.query(
      `INSERT INTO cv_section (model, label, is_hidden) VALUES ('cv.skill', '{"en": "Tools", "tr": "Araçlar"}', true)`,
    );
    try {
      const before = await readRows(database.pool, "cv_skill");
      const resume = await openCv(database.pool).getResume("en");
      expect(resume).not.toContain("skills");
      expect(await importInto(database.pool, resume)).toMatchObject({ is_unchanged: true });
      expect(await readRows(database.pool, "cv_skill")).toEqual(before);
    } finally {
      await database.pool.query("DELETE FROM cv_section");
    }
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
