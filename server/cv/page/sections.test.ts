import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Cv, Hub } from "#contract/site/cv.ts";
import { createLocalStorage } from "#server/files/store.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

interface SectionRecord {
  id: number;
  repr: string;
  position: number;
  is_hidden: boolean;
  heading: { en: string | null; tr: string | null } | null;
}

const FILE = `${"a".repeat(32)}.png`;

const ROWS_SQL = `
  INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ('${FILE}', 'kettle.png', 'image/png', 5);
  INSERT INTO cv_profile (name) VALUES ('Işıl Örnek');
  INSERT INTO cv_experience (company, role, position) VALUES ('{"en": "Queue Company"}', '{"en": "Engineer"}', 1);
  INSERT INTO cv_skill (label, icon, position) VALUES ('{"en": "Kettle"}', '${FILE}', 1);
  INSERT INTO cv_project (name, position) VALUES ('{"en": "Teapot"}', 1);
  INSERT INTO cv_award (title, position) VALUES ('{"en": "Golden Cup"}', 1)`;

let site: TestApp;
let staff: TestPerson;
let base: string;

beforeAll(async () => {
  site = await createTestApp({ setUpSql: ROWS_SQL });
  await createLocalStorage(join(site.dataDir, "files")).put(FILE, new Uint8Array(5));
  staff = await site.signInAs(10);
  const { rows } = await site.database.pool.query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = 'cv' AND model_name = 'section'",
  );
  base = `/api/admin/models/${rows[0]?.id}/objects/`;
});
afterAll(() => site.close());
beforeEach(async () => {
  const start = [
    "skill",
    "experience",
    "education",
    "certificate",
    "project",
    "volunteer",
    "award",
    "publication",
    "language",
    "interest",
    "reference",
  ].map((name, index) => `('cv.${name}', ${(index + 1) * 100})`);
  await site.database.pool.query(
    `UPDATE cv_section s SET position = place, heading = NULL, is_hidden = false FROM (VALUES ${start}) start(model, place) WHERE s.model = start.model`,
  );
  site.feed.announce("cv.section");
});

async function ask(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object) {
  const headers = { authorization: staff.authorization };
  return site.app.inject({ method, url, headers, ...(payload && { payload }) });
}
const listSections = async () =>
  (await ask("GET", `${base}?page_size=50`)).json<{ objects: SectionRecord[] }>().objects;

async function findSection(name: string): Promise<SectionRecord> {
  const found = (await listSections()).find(({ repr }) => repr === name);
  if (!found) throw new Error(`no section ${name}`);
  return found;
}
async function change(name: string, values: object): Promise<void> {
  const { id } = await findSection(name);
  const answer = await ask("PATCH", `${base}${id}/`, values);
  expect(answer.statusCode).toBe(200);
}
const getCv = async (lang = "en") => (await site.app.inject(`/api/cv/?lang=${lang}`)).json<Cv>();
const getHeadings = async (lang?: string) => (await getCv(lang)).sections.map(({ heading }) => heading);
/** What the cached page was drawn from. */
const getPage = async () => (await site.app.inject("/en/cv")).body;

test("a start gives every section of the page its row, once, in the page's own order", async () => {
  const names = (await listSections()).map(({ repr }) => repr);
  expect(names.slice(0, 5)).toEqual(["Tools", "Experience", "Education", "Certificates", "Projects"]);
  expect(new Set(names).size).toBe(names.length);
  expect(await getHeadings()).toEqual(["Tools", "Experience", "Projects", "Awards"]);
});

test("they are neither made nor deleted, and a section's own name is nobody's to write", async () => {
  const { id } = await findSection("Tools");
  const answers = [
    await ask("POST", base, { heading: { en: "More", tr: "Daha" } }),
    await ask("DELETE", `${base}${id}/`),
    await ask("PATCH", `${base}${id}/`, { label: { en: "Mine", tr: "Benim" } }),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 200]);
  expect(answers[2]?.json<SectionRecord>().repr).toBe("Tools");
});

test("the page follows the order that the console writes, the cached one too", async () => {
  expect(await getPage()).toMatch(/Kettle.*Golden Cup/s);
  const [award, skill] = [await findSection("Awards"), await findSection("Tools")];
  const moved = await ask("POST", `${base}${award.id}/move/`, { before: skill.id });
  expect(moved.statusCode).toBe(200);
  expect(await getHeadings()).toEqual(["Awards", "Tools", "Experience", "Projects"]);
  const { sections } = JSON.parse((await getPage()).replace(/^.*?(\{.*\}).*$/s, "$1")).cv as Cv;
  expect(sections.map(({ name }) => name)).toEqual(["award", "skill", "experience", "project"]);
});

test("a heading of one language leaves the other one's as it is, and blanks give the name back", async () => {
  await change("Tools", { heading: { en: "What I work with", tr: null } });
  expect((await getHeadings("en"))[0]).toBe("What I work with");
  expect((await getHeadings("tr"))[0]).toBe("Araçlar");
  expect(await getPage()).toContain("What I work with");
  await change("Tools", { heading: null });
  expect((await getHeadings("en"))[0]).toBe("Tools");
});

describe("a section that the owner hides", () => {
  test("is nowhere on the page, in its data or in the résumé file, and its files ask for the console's right", async () => {
    const readPublic = async () =>
      [await getPage(), JSON.stringify(await getCv()), (await site.app.inject("/cv.json")).body].join("\n");
    expect((await readPublic()).match(/Kettle/g)?.length).toBeGreaterThanOrEqual(3);
    const fileOf = async () => (await site.app.inject(`/files/${FILE}`)).statusCode;
    const before = await fileOf();
    await change("Tools", { is_hidden: true });
    const shown = await readPublic();
    expect(shown).not.toContain("Kettle");
    expect(shown).toContain("Queue Company");
    expect(await getHeadings()).toEqual(["Experience", "Projects", "Awards"]);
    expect([before, await fileOf()]).toEqual([200, 404]);
  });

  test("stays with the developer hub where that shows its rows too", async () => {
    await change("Projects", { is_hidden: true });
    expect(await getHeadings()).toEqual(["Tools", "Experience", "Awards"]);
    expect((await site.app.inject("/cv.json")).body).not.toContain("Teapot");
    const hub = (await site.app.inject("/api/projects/?lang=en")).json<Hub>();
    expect(hub.projects.map(({ name }) => name)).toEqual(["Teapot"]);
  });
});

test("a start over what the owner chose changes nothing of it, and takes away the row of a section that is no more", async () => {
  await change("Awards", { position: 1, heading: { en: "Prizes", tr: null } });
  await site.database.pool.query(
    `INSERT INTO cv_section (model, label, position) VALUES ('cv.gone', '{"en": "Gone", "tr": "Giden"}', 5)`,
  );
  const again = await createTestApp({
    database: { ...site.database, close: async () => {} },
  });
  try {
    const names = (await listSections()).map(({ repr }) => repr);
    expect(names[0]).toBe("Awards");
    expect(names).not.toContain("Gone");
    expect((await getHeadings())[0]).toBe("Prizes");
  } finally {
    await again.close();
  }
});
