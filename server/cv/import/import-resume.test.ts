import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import pg from "pg";
import type { ImportPlan, ItemKind } from "#contract/site/cv-import.ts";
import { certificate } from "#server/models/declared/certificate.ts";
import { ensureContentTypes } from "#server/models/registry/registry.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { RESUMES } from "#test/resumes/samples.ts";
import { until } from "#test/until.ts";
import { emptyCv, importInto, openCv, planInto, RESUME_MODELS, readRows, readSample } from "../test-cv.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyCv(database.pool));

const rowsOf = (table: string) => readRows(database.pool, table);
const importEn = (document: object) => importInto(database.pool, document, "en");
const importTr = (document: object) => importInto(database.pool, document, "tr");

const job = (name: string, position: string, startDate: string, endDate?: string) => ({
  name,
  position,
  startDate,
  ...(endDate ? { endDate } : {}),
});
const skills = (...names: string[]) => ({ skills: names.map((name) => ({ name })) });

/** Both sides of some columns, row by row. */
const sidesOf = async (table: string, ...columns: string[]) =>
  (await rowsOf(table)).map((row) => columns.map((column) => row[column]));

/** Counts of a section that aren't zero. */
const countsOf = (plan: ImportPlan, name: string) => {
  const counts = Object.entries(plan.sections.find((section) => section.name === name)?.counts ?? {});
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
};
const itemsOf = ({ sections }: ImportPlan) => sections.flatMap(({ items }) => items);
const titlesOf = (plan: ImportPlan, kind: ItemKind) =>
  itemsOf(plan)
    .filter((item) => item.kind === kind)
    .map(({ title }) => title);
const goneKeys = (plan: ImportPlan) =>
  itemsOf(plan)
    .filter(({ gone_choices }) => gone_choices.length > 0)
    .map(({ key }) => key);
/** What has no language and was changed. */
const listChangedForBoth = ({ sections }: ImportPlan) =>
  sections.flatMap(({ name, items }) =>
    items.flatMap(({ fields }) =>
      fields.filter(({ texts }) => texts[0]?.lang === null).map(({ label }) => `${name} ${label}`),
    ),
  );

const FILE = "0123456789abcdef0123456789abcdef";
async function storeFile(key: string, mediaType: string): Promise<void> {
  const sql = "INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ($1, $1, $2, 1)";
  await database.pool.query(sql, [key, mediaType]);
}

describe("a second language", () => {
  test("goes into the rows of the first: one row each with both sides", async () => {
    await importInto(database.pool, await readSample(RESUMES.engineerEn), "en");
    const report = await importInto(database.pool, await readSample(RESUMES.engineerTr), "tr");
    expect(report.sections.filter(({ counts }) => counts.new + counts.removed > 0)).toEqual([]);
    expect([report.untranslated.en.count, report.untranslated.tr.count]).toEqual([0, 0]);
    expect(await sidesOf("cv_experience", "company", "role")).toEqual([
      [
        { en: "Anadolu Yazılım", tr: "Anadolu Yazılım" },
        { en: "Team Lead", tr: "Takım Lideri" },
      ],
      [
        { en: "Bosphorus Maps", tr: "Boğaziçi Harita" },
        { en: "Back-end Developer", tr: "Sunucu Geliştiricisi" },
      ],
      [
        { en: "Bosphorus Maps", tr: "Boğaziçi Harita" },
        { en: "Mentor of interns", tr: "Stajyer Rehberi" },
      ],
    ]);
    expect(await sidesOf("cv_skill", "label")).toEqual([
      [{ en: "TypeScript", tr: "TypeScript" }],
      [{ en: "PostgreSQL", tr: "PostgreSQL" }],
      [{ en: "Version control", tr: "Sürüm denetimi" }],
    ]);
    const [profile] = await rowsOf("cv_profile");
    expect(profile).toMatchObject({
      name: "Işıl Örnek",
      title: { en: "Software Engineer", tr: "Yazılım Mühendisi" },
    });
    expect(profile?.extra).toMatchObject({
      en: { basics: { image: expect.any(String) } },
      tr: { basics: {} },
    });
  });

  test("leaves the first unchanged when that file comes again", async () => {
    const en = await readSample(RESUMES.engineerEn);
    await importInto(database.pool, en, "en");
    await importInto(database.pool, await readSample(RESUMES.engineerTr), "tr");
    expect((await importInto(database.pool, en, "en")).is_unchanged).toBe(true);
  });

  test("finds its rows in another order, and its order becomes the order of both", async () => {
    await importEn({ work: [job("Acme", "Dev", "2020"), job("Globex", "Lead", "2018", "2020")] });
    await importTr({ work: [job("Globex", "Yönetici", "2018", "2020"), job("Acme", "Geliştirici", "2020")] });
    expect(await sidesOf("cv_experience", "position", "role")).toEqual([
      [1, { en: "Lead", tr: "Yönetici" }],
      [2, { en: "Dev", tr: "Geliştirici" }],
    ]);
  });

  test("tells two companies with the same dates apart by their names", async () => {
    await importEn({ work: [job("Acme", "Dev", "2020"), job("Globex", "Advisor", "2020")] });
    await importTr({ work: [job("Globex", "Danışman", "2020"), job("Acme", "Geliştirici", "2020")] });
    expect(await sidesOf("cv_experience", "role")).toEqual([
      [{ en: "Advisor", tr: "Danışman" }],
      [{ en: "Dev", tr: "Geliştirici" }],
    ]);
  });

  test("pairs two jobs at one company in the same dates by their place", async () => {
    await importEn({ work: [job("Acme", "Dev", "2020", "2021"), job("Acme", "Mentor", "2020", "2021")] });
    await importTr({
      work: [job("Acme AŞ", "Geliştirici", "2020", "2021"), job("Acme AŞ", "Rehber", "2020", "2021")],
    });
    expect(await sidesOf("cv_experience", "role")).toEqual([
      [{ en: "Dev", tr: "Geliştirici" }],
      [{ en: "Mentor", tr: "Rehber" }],
    ]);
  });

  test("matches skills by a name that both languages write alike, the rest by place", async () => {
    await importEn(skills("React", "Version control", "Teamwork"));
    await importTr(skills("Sürüm denetimi", "Takım çalışması", "React"));
    expect(await sidesOf("cv_skill", "label")).toEqual([
      [{ en: "Version control", tr: "Sürüm denetimi" }],
      [{ en: "Teamwork", tr: "Takım çalışması" }],
      [{ en: "React", tr: "React" }],
    ]);
  });

  test("keeps an item that it doesn't name behind the one that it stood behind", async () => {
    await importEn({ work: [job("A", "a", "2022"), job("B", "b", "2021"), job("C", "c", "2020")] });
    await importTr({ work: [job("A", "â", "2022"), job("C", "ç", "2020")] });
    expect(await sidesOf("cv_experience", "role")).toEqual([
      [{ en: "a", tr: "â" }],
      [{ en: "b", tr: null }],
      [{ en: "c", tr: "ç" }],
    ]);
  });

  test("changes the facts of both, and the report says which", async () => {
    await importEn({ basics: { name: "A", email: "a@example.com", url: "https://a.example.com" } });
    const report = await importTr({ basics: { name: "A", email: "b@example.com" } });
    expect(listChangedForBoth(report)).toEqual(["basics Email", "basics Website"]);
    expect((await rowsOf("cv_profile"))[0]).toMatchObject({ email: "b@example.com", website: null });
  });
});

describe("a changed file of the same language", () => {
  const both = async () => {
    await importEn({ work: [job("Acme", "Dev", "2020"), job("Globex", "Lead", "2018", "2020")] });
    await importTr({ work: [job("Acme", "Geliştirici", "2020"), job("Globex", "Yönetici", "2018", "2020")] });
  };

  test("changes texts in place", async () => {
    await both();
    await importEn({ work: [job("Acme", "Developer", "2020"), job("Globex Inc.", "Head", "2018", "2020")] });
    expect(await sidesOf("cv_experience", "company", "role")).toEqual([
      [
        { en: "Acme", tr: "Acme" },
        { en: "Developer", tr: "Geliştirici" },
      ],
      [
        { en: "Globex Inc.", tr: "Globex" },
        { en: "Head", tr: "Yönetici" },
      ],
    ]);
  });

  test("keeps the other language when a job has ended since", async () => {
    await both();
    const report = await importEn({
      work: [job("Acme", "Dev", "2020", "2024-05"), job("Globex", "Lead", "2018", "2020")],
    });
    expect(countsOf(report, "work")).toEqual({ changed: 1, unchanged: 1 });
    expect(listChangedForBoth(report)).toEqual(["work To"]);
    expect((await rowsOf("cv_experience"))[0]).toMatchObject({
      end_date: "2024-05",
      role: { en: "Dev", tr: "Geliştirici" },
    });
  });

  test("takes only its own side from an item that it no longer names, where that was chosen", async () => {
    await both();
    const file = { work: [job("Globex", "Lead", "2018", "2020")] };
    const key = goneKeys(await planInto(database.pool, file)).at(0) ?? "";
    const report = await importInto(database.pool, file, "en", { gone: { [key]: "language" }, matches: {} });
    expect(countsOf(report, "work")).toEqual({ reduced: 1, unchanged: 1 });
    expect(await sidesOf("cv_experience", "role")).toEqual([
      [{ en: null, tr: "Geliştirici" }],
      [{ en: "Lead", tr: "Yönetici" }],
    ]);
    expect(report.untranslated.en.examples).toEqual([
      "Acme – Geliştirici: Role",
      "Acme – Geliştirici: Company",
    ]);
  });

  test("removes an item that it names no longer, in both languages", async () => {
    await both();
    const report = await importEn({ work: [job("Globex", "Lead", "2018", "2020")] });
    expect(titlesOf(report, "removed")).toEqual(["Acme – Dev"]);
    expect(await rowsOf("cv_experience")).toHaveLength(1);
  });

  test("takes another name of a skill for another skill, and its icon stays with the first", async () => {
    await storeFile(`${FILE}.svg`, "image/svg+xml");
    await importEn(skills("React", "Node", "Git"));
    await database.pool.query(`UPDATE cv_skill SET icon = $1 WHERE label ->> 'en' = 'Node'`, [`${FILE}.svg`]);
    const report = await importEn(skills("Git", "Rust", "React"));
    expect(titlesOf(report, "removed")).toEqual(["Node"]);
    expect(await sidesOf("cv_skill", "label", "icon")).toEqual([
      [{ en: "Git", tr: null }, null],
      [{ en: "Rust", tr: null }, null],
      [{ en: "React", tr: null }, null],
    ]);
  });

  test("leaves positions alone that say the order already", async () => {
    await importEn(skills("A", "B"));
    await database.pool.query("UPDATE cv_skill SET position = position * 10");
    const report = await importEn(skills("A", "New", "B"));
    expect(countsOf(report, "skills")).toEqual({ new: 1, unchanged: 2 });
    expect((await rowsOf("cv_skill")).map((row) => row.position)).toEqual([10, 11, 20]);
  });
});

describe("files", () => {
  const address = `https://elsewhere.example.com/files/${FILE}`;

  test("of ours are found by their address on any host, others are kept as they are", async () => {
    await storeFile(`${FILE}.png`, "image/png");
    await storeFile(`${FILE}.pdf`, "application/pdf");
    await importEn({
      basics: { image: `${address}.png` },
      skills: [
        { name: "A", icon: `/files/${FILE}.png` },
        { name: "B", icon: `${address}.pdf` },
      ],
      certificates: [
        { name: "File alone", url: `${address}.pdf` },
        { name: "Both", url: "https://issuer.example.com/1", file: `/files/${FILE}.pdf` },
        { name: "Unknown", url: "https://elsewhere.example.com/files/ffffffffffffffffffffffffffffffff.pdf" },
      ],
    });
    expect((await rowsOf("cv_profile"))[0]?.photo).toBe(`${FILE}.png`);
    expect(await sidesOf("cv_skill", "icon")).toEqual([[`${FILE}.png`], [null]]);
    expect(await sidesOf("cv_certificate", "file", "url")).toEqual([
      [`${FILE}.pdf`, null],
      [`${FILE}.pdf`, "https://issuer.example.com/1"],
      [null, "https://elsewhere.example.com/files/ffffffffffffffffffffffffffffffff.pdf"],
    ]);

    const file = JSON.parse(await openCv(database.pool, "https://me.example.org").getResume("en"));
    expect(file.basics.image).toBe(`https://me.example.org/files/${FILE}.png`);
    expect(file.certificates.slice(0, 2)).toEqual([
      { name: "File alone", url: `https://me.example.org/files/${FILE}.pdf` },
      { name: "Both", url: "https://issuer.example.com/1", file: `https://me.example.org/files/${FILE}.pdf` },
    ]);
    const relative = JSON.parse(await openCv(database.pool).getResume("en"));
    expect(relative.certificates[0]).toEqual({ name: "File alone", file: `/files/${FILE}.pdf` });
  });

  test("that were uploaded stay when a file from elsewhere doesn't name them", async () => {
    await storeFile(`${FILE}.png`, "image/png");
    await importEn({ basics: { name: "A", image: "https://gravatar.example.com/a.png" } });
    await database.pool.query("UPDATE cv_profile SET photo = $1", [`${FILE}.png`]);
    const report = await importEn({ basics: { name: "A", image: "https://gravatar.example.com/a.png" } });
    expect(report.is_unchanged).toBe(true);
    expect(report.kept_keys).toContain("basics.image");
    expect((await rowsOf("cv_profile"))[0]?.photo).toBe(`${FILE}.png`);
  });
});

test("addresses that are no web addresses are kept and never shown", async () => {
  const links = [
    { network: "Skype", url: "skype:a?call" },
    { network: "Evil", url: "javascript:alert(1)" },
    { network: "Web", url: "https://web.example.com" },
  ];
  const report = await importEn({ basics: { profiles: links } });
  expect(report.kept_keys).toEqual(["basics.profiles[].url × 2"]);
  const cv = openCv(database.pool);
  expect((await cv.getCv("en")).links.map((link) => link.url)).toEqual(["https://web.example.com"]);
  expect(JSON.parse(await cv.getResume("en")).basics.profiles).toEqual([
    { network: "Skype", url: "skype:a?call" },
    { network: "Evil", url: "javascript:alert(1)" },
    { network: "Web", url: "https://web.example.com" },
  ]);
});

test("each row leaves an audit entry with everything that changed, and each model one notice", async () => {
  const contentTypeIds = await ensureContentTypes(database.pool, [certificate]);
  const listener = new pg.Client({ ...database.connection });
  const notices: (string | undefined)[] = [];
  await listener.connect();
  listener.on("notification", (notice) => notices.push(notice.payload));
  await listener.query("LISTEN foyer_changed");

  await importEn({ certificates: [{ name: "One" }, { name: "Two", date: "2020" }] });
  await importEn({ certificates: [{ name: "Two", date: "2021", level: { b: 1, a: 2 } }] });
  await importEn({ certificates: [{ name: "Two", date: "2021", level: { a: 2, b: 1 } }] });

  const entries = await database.pool.query(
    `SELECT action_type, detail, object_repr, username, changes, content_type_id FROM audit_entry
     WHERE content_type_id IS NOT NULL ORDER BY id`,
  );
  const common = { detail: "import", username: null, content_type_id: contentTypeIds.get("cv.certificate") };
  expect(entries.rows).toEqual([
    {
      ...common,
      action_type: "CREATE",
      object_repr: "One",
      changes: expect.objectContaining({ label: { after: { en: "One", tr: null } }, position: { after: 1 } }),
    },
    { ...common, action_type: "CREATE", object_repr: "Two", changes: expect.anything() },
    {
      ...common,
      action_type: "UPDATE",
      object_repr: "Two",
      changes: {
        issued_on: { before: "2020", after: "2021" },
        extra: { before: { en: {} }, after: { en: { level: { a: 2, b: 1 } } } },
      },
    },
    {
      ...common,
      action_type: "DELETE",
      object_repr: "One",
      changes: expect.objectContaining({
        label: { before: { en: "One", tr: null } },
        extra: { before: { en: {} } },
      }),
    },
  ]);
  await listener.query("SELECT 1");
  await listener.end();
  const isLog = (notice = "") => notice.startsWith("audit.entry ");
  const models = notices.filter((notice) => !isLog(notice));
  expect(models).toEqual(["cv.profile", "cv.certificate", "cv.certificate"]);
  expect(RESUME_MODELS).toEqual(expect.arrayContaining(models));
  // Of the log one for each import that wrote something.
  expect(notices.filter(isLog)).toHaveLength(2);
});

test("an import waits for an edit that has begun, and neither fails", async () => {
  await importEn(skills("TypeScript"));
  const editor = await database.pool.connect();
  try {
    await editor.query("BEGIN");
    await editor.query("SELECT id FROM cv_skill FOR UPDATE");
    const imported = importEn({ skills: [{ name: "TypeScript", level: "good" }] });
    await until(async () => {
      const waiting =
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      return (await database.pool.query(waiting)).rowCount;
    });
    await editor.query("UPDATE cv_skill SET icon = NULL");
    await editor.query("COMMIT");
    expect((await imported).is_unchanged).toBe(false);
  } finally {
    editor.release();
  }
});

test("two imports at once wait for each other and leave one profile", async () => {
  await Promise.all(
    Array.from({ length: 5 }, (_, place) =>
      importEn({ basics: { name: `Name ${place}` }, ...skills("A", "B") }),
    ),
  );
  expect(await rowsOf("cv_profile")).toHaveLength(1);
  expect(await rowsOf("cv_skill")).toHaveLength(2);
});
