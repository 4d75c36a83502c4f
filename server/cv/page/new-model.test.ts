import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type Cv, cv as cvSchema } from "#contract/site/cv.ts";
import type { ModelDeclaration } from "#server/models/declare.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createTestDatabase } from "#test/database.ts";
import { makeScratchCopy } from "#test/recipes/scratch-copy.ts";
import { DRAWER_SQL, drawer, VAULT_SQL, vault } from "#test/vault.ts";
import { talk } from "./test-talk.ts";

/** What drizzle-kit makes of the declaration; the last test compares. */
const TALK_SQL = `
  CREATE TABLE cv_talk (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    title jsonb NOT NULL, held_on text, url text,
    experience_id integer REFERENCES cv_experience (id) ON DELETE SET NULL,
    speaker_id integer REFERENCES account_user (id) ON DELETE SET NULL,
    fee integer, position integer NOT NULL DEFAULT 0, is_hidden boolean NOT NULL DEFAULT false, extra jsonb)`;

const ROWS_SQL = `
  INSERT INTO cv_experience (company, position) VALUES ('{"en": "Queue Company", "tr": "Kuyruk Şirketi"}', 1);
  INSERT INTO cv_talk (title, held_on, experience_id, fee)
  SELECT '{"en": "Sleeping on call", "tr": "Nöbette uyku"}', '2023-05', id, 4711 FROM cv_experience`;

function findTalks(cv: Cv) {
  return cv.sections.find(({ name }) => name === "talk");
}

/** What the first item of a section says, by field. */
function readFirst(section: Cv["sections"][number] | undefined): Record<string, string> | undefined {
  const values = section?.items[0]?.values;
  return values && Object.fromEntries(values.map(({ name, texts }) => [name, texts.join()]));
}

describe("a model that is declared is on the page, with what its relations name", () => {
  let site: TestApp;
  let speaker: number;
  beforeAll(async () => {
    site = await createTestApp({ extraModels: [talk], setUpSql: `${TALK_SQL}; ${ROWS_SQL}` });
    speaker = (await site.signInAs(5, "dilara")).userId;
  });
  afterAll(() => site.close());
  beforeEach(() =>
    run(`
      UPDATE account_user SET first_name = 'Dilara', last_name = 'Söz', is_active = true, is_email_verified = true, privacy_settings = '{}';
      UPDATE cv_experience SET is_hidden = false;
      UPDATE cv_talk SET is_hidden = false, speaker_id = ${speaker}`),
  );

  /** Writes with SQL, and publishes the changes as every writer does. */
  async function run(sql: string): Promise<void> {
    await site.database.pool.query(sql);
    for (const model of ["cv.talk", "cv.experience", "accounts.user"]) site.feed.announce(model);
  }
  const getCv = async (lang: string) => (await site.app.inject(`/api/cv/?lang=${lang}`)).json<Cv>();
  const getValues = async (lang = "en") => {
    return readFirst(findTalks(await getCv(lang)));
  };
  const getPage = async (lang = "en") => (await site.app.inject(`/${lang}/cv`)).body;

  test.each([
    ["en", "Talks", "Given for", "Sleeping on call", "Queue Company"],
    ["tr", "Konuşmalar", "Kurum", "Nöbette uyku", "Kuyruk Şirketi"],
  ])("in %s, under its own heading", async (lang, heading, label, title, company) => {
    const cv = await getCv(lang);
    expect(cvSchema.parse(cv)).toEqual(cv);
    expect(findTalks(cv)).toMatchObject({
      heading,
      fields: { titles: ["title"], start: "held_on", url: "url", facts: [{ label }, { name: "speaker_id" }] },
    });
    expect(await getValues(lang)).toEqual({
      title,
      held_on: "2023-05",
      experience_id: company,
      speaker_id: "Dilara Söz",
    });
    for (const text of [heading, title, company, "Dilara Söz"]) expect(await getPage(lang)).toContain(text);
  });

  test("it stands where its declaration says", async () => {
    await run(
      `INSERT INTO cv_project (name) VALUES ('{"en": "A"}'); INSERT INTO cv_award (title) VALUES ('{"en": "B"}')`,
    );
    const names = (await getCv("en")).sections.map(({ name }) => name);
    expect(names).toEqual(["experience", "project", "talk", "award"]);
  });

  test("a hidden row is nowhere, neither by itself nor by its name", async () => {
    await run("UPDATE cv_experience SET is_hidden = true");
    expect(await getValues()).toEqual({
      title: "Sleeping on call",
      held_on: "2023-05",
      speaker_id: "Dilara Söz",
    });
    expect(await getPage()).not.toContain("Queue Company");
    await run("UPDATE cv_talk SET is_hidden = true");
    expect(findTalks(await getCv("en"))).toBeUndefined();
  });

  test.each([
    ["who doesn't show their profile", `privacy_settings = '{"show_profile": false}'`],
    ["who is suspended", "is_active = false"],
    ["whose address isn't proven", "is_email_verified = false"],
  ])("a person %s is not named, not even by username or number", async (_who, change) => {
    await run(`UPDATE account_user SET ${change}`);
    expect(await getValues()).not.toHaveProperty("speaker_id");
    const page = await getPage();
    for (const trace of ["Dilara", "dilara"]) expect(page).not.toContain(trace);
  });

  test("a person without a name is nobody: what they log in with is for nobody to read", async () => {
    await run("UPDATE account_user SET first_name = '', last_name = ' '");
    expect(await getValues()).not.toHaveProperty("speaker_id");
    expect(await getPage()).not.toContain("dilara");
  });

  test("a field that has a level isn't shown", async () => {
    expect(JSON.stringify(await getCv("en"))).not.toMatch(/4711|fee/i);
  });

  test.each([
    ["cv.talk", 'UPDATE cv_talk SET title = \'{"en": "Awake"}\'', "Awake"],
    ["cv.experience", 'UPDATE cv_experience SET company = \'{"en": "Renamed"}\'', "Renamed"],
    ["accounts.user", "UPDATE account_user SET last_name = 'Kelime'", "Dilara Kelime"],
  ])("a change of %s is on the cached page as soon as its notice is here", async (model, sql, text) => {
    expect(await getPage()).not.toContain(text);
    await site.database.pool.query(sql);
    expect(await getPage()).not.toContain(text);
    site.feed.announce(model);
    expect(await getPage()).toContain(text);
  });

  test("what it is related to may go; a résumé file knows nothing of it", async () => {
    await run("DELETE FROM cv_experience");
    expect(await getValues()).toMatchObject({ speaker_id: "Dilara Söz" });
    expect((await site.app.inject("/cv.json")).body).not.toContain("talk");
  });
});

describe("a relation to rows that have rules", () => {
  const onPage = { ...drawer, sitePath: "/cv", site: { section: { order: 50 } } };

  test.each<[string, ModelDeclaration["site"] | null, number, string | undefined]>([
    ["shows a row that anybody may see", {}, 1, "Open"],
    ["shows no row that level 0 may not see", {}, 2, undefined],
    ["shows no row of a model that isn't the site's", null, 1, undefined],
    ["shows no row that the site leaves out", { where: "{row}.title <> 'Open'" }, 1, undefined],
    ["shows a row by the name that the site gives it", { title: "upper({row}.title)" }, 1, "OPEN"],
  ])("%s", async (_what, vaultSite, id, name) => {
    const site = await createTestApp({
      extraModels: [vaultSite ? { ...vault, site: vaultSite } : vault, onPage],
      setUpSql: `${VAULT_SQL}; ${DRAWER_SQL}; UPDATE test_drawer SET vault_id = ${id}`,
    });
    try {
      const cv = (await site.app.inject("/api/cv/?lang=en")).json<Cv>();
      expect(cv.sections).toMatchObject([{ name: "test-drawer", heading: "Drawers" }]);
      expect(readFirst(cv.sections[0])).toEqual({
        title: "Drawer",
        ...(name && { vault_id: name }),
      });
    } finally {
      await site.close();
    }
  });
});

/** What a process of the copy does: migrates a database, writes rows, and prints the CV that it reads. */
const READ_CV = `
  const { applyMigrations } = await import("#server/db/migrate.ts");
  const { createPool } = await import("#server/db/pool.ts");
  const { DECLARED } = await import("#server/models/declared/all.ts");
  const { buildRegistry } = await import("#server/models/registry/registry.ts");
  const { createCvService } = await import("#server/cv/service.ts");
  const pool = createPool(JSON.parse(process.env.CONNECTION), { name: "copy", max: 1, onError() {} });
  await applyMigrations(pool);
  await pool.query(process.env.ROWS);
  const cv = createCvService({ pool, registry: buildRegistry(DECLARED, new Map()), publicUrl: undefined });
  console.log(JSON.stringify(await cv.getCv("en")));
  await pool.end();`;

test("in a copy of the product it touches five files, four of them generated, and a component would be the sixth", async () => {
  const copy = makeScratchCopy(["server", "contract", "locales"]);
  const database = await createTestDatabase();
  try {
    copy.write(
      "server/models/declared/talk.ts",
      readFileSync(join(import.meta.dirname, "test-talk.ts"), "utf8"),
    );
    await copy.run(["server/db/generate.ts", "--name", "talk"]);
    expect(copy.listTouched().map((file) => file.replace(/\d{4}_/, ""))).toEqual([
      "server/db/migrations/talk.sql",
      "server/db/migrations/catalog.json",
      "server/db/migrations/meta/snapshot.json",
      "server/db/migrations/meta/_journal.json",
      "server/models/declared/talk.ts",
    ]);
    const out = await copy.runModule(READ_CV, {
      CONNECTION: JSON.stringify(database.connection),
      ROWS: ROWS_SQL,
    });
    const section = findTalks(JSON.parse(out));
    expect(section?.heading).toBe("Talks");
    expect(readFirst(section)).toMatchObject({ title: "Sleeping on call", experience_id: "Queue Company" });
  } finally {
    await database.close();
    copy.remove();
  }
});
