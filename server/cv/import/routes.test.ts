import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { strToU8, zipSync } from "fflate";
import { createTestApp, type TestApp } from "#test/app.ts";
import { emptyCv, readRows } from "../test-cv.ts";

let site: TestApp;
const tokens = new Map<number, string>();
beforeAll(async () => {
  site = await createTestApp();
  for (const level of [1, 999]) tokens.set(level, (await site.signInAs(level)).authorization);
});
afterAll(() => site.close());
beforeEach(() => emptyCv(site.database.pool));

const URL = "/api/admin/cv-imports/";
async function call(level: number, method: "GET" | "POST", path: string, payload?: object, lang = "en") {
  const headers = { authorization: tokens.get(level) ?? "", "accept-language": lang };
  const answer = await site.app.inject({
    method,
    url: `${URL}${path}`,
    headers,
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const send = (document: object, lang = "en") => ({
  file_name: "cv.json",
  lang,
  text: JSON.stringify(document),
});
const NONE = { gone: {}, matches: {} };
const BEFORE = { basics: { name: "Ada" }, skills: [{ name: "Git" }, { name: "Perl" }] };
const AFTER = { basics: { name: "Ada" }, skills: [{ name: "Git", level: "expert" }] };

/** Imports a file by all of its calls. */
async function importFile(document: object) {
  const { body } = await call(999, "POST", "", send(document));
  const about = { answers: NONE, fingerprint: body.plan.fingerprint };
  return call(999, "POST", `${body.entry.id}/apply/`, about);
}
const readSkills = async () =>
  (await readRows(site.database.pool, "cv_skill")).map(({ label }) => (label as { en: string }).en);

describe("the zip of a LinkedIn data export", () => {
  const sendZip = (files: Record<string, string>) => {
    const bytes = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
    );
    const text = Buffer.from(bytes).toString("base64");
    return call(999, "POST", "", { file_name: "export.zip", lang: "en", text, encoding: "base64" });
  };

  test("is planned and imported like any other file, and changes nothing the second time", async () => {
    const files = { "Profile.csv": "First Name,Last Name\nAda,Lovelace\n", "Skills.csv": "Name\nGit\nTea\n" };
    const { status, body } = await sendZip(files);
    expect([status, body.plan.counts.new]).toEqual([201, 3]);
    await call(999, "POST", `${body.entry.id}/apply/`, { answers: NONE, fingerprint: body.plan.fingerprint });
    expect(await readSkills()).toEqual(["Git", "Tea"]);
    expect((await sendZip(files)).body.plan.is_unchanged).toBe(true);
  });

  test("that is another zip, or none, is refused with the reason", async () => {
    const other = await sendZip({ "photo.txt": "a" });
    expect([other.status, other.body.errors[0].message]).toEqual([
      400,
      expect.stringContaining("no LinkedIn data export"),
    ]);
    const none = await call(999, "POST", "", {
      file_name: "export.zip",
      lang: "en",
      text: Buffer.from("no zip").toString("base64"),
      encoding: "base64",
    });
    expect(none.status).toBe(400);
  });
});

describe("who may import", () => {
  test.each([
    ["GET", ""],
    ["POST", ""],
    ["GET", "1/"],
    ["POST", "1/answers/"],
    ["POST", "1/apply/"],
    ["POST", "1/undo/"],
  ] as const)("%s %s is refused to strangers and to people below the console", async (method, path) => {
    const stranger = await site.app.inject({
      method,
      url: `${URL}${path}`,
      ...(method === "POST" && { payload: {} }),
    });
    expect(stranger.statusCode).toBe(401);
    expect((await call(1, method, path, method === "POST" ? {} : undefined)).status).toBe(403);
  });
});

test("a file becomes a draft with a plan that a reload finds again with its answers, and writes nothing", async () => {
  await importFile(BEFORE);
  const made = await call(999, "POST", "", send(AFTER));
  expect(made.status).toBe(201);
  expect(made.body.plan.counts).toMatchObject({ changed: 1, removed: 1 });
  const { id } = made.body.entry;
  const gone = made.body.plan.sections
    .flatMap(({ items }: { items: { key: string; kind: string }[] }) => items)
    .find(({ kind }: { kind: string }) => kind === "removed");
  const answers = { gone: { [gone.key]: "keep" }, matches: {} };
  expect((await call(999, "POST", `${id}/answers/`, answers)).body.plan.counts).toMatchObject({
    kept: 1,
    removed: 0,
  });
  const again = (await call(999, "GET", `${id}/`, undefined, "tr")).body;
  expect(again.answers).toEqual(answers);
  expect(again.plan.sections.find(({ name }: { name: string }) => name === "skills").label).toBe("Araçlar");
  expect(await readSkills()).toEqual(["Git", "Perl"]);
});

test("an import makes a backup where something is changed or removed, and is undone once", async () => {
  const first = await importFile(BEFORE);
  expect(first.body.entry).toMatchObject({ state: "applied", backup_file: null, can_undo: true });
  const { body, status } = await importFile(AFTER);
  expect(status).toBe(200);
  expect(body).toMatchObject({ plan: null, entry: { state: "applied", can_undo: true } });
  const backups = await readdir(join(site.dataDir, "backups"));
  expect(backups).toContain(body.entry.backup_file);
  expect(await readSkills()).toEqual(["Git"]);
  const undone = await call(999, "POST", `${body.entry.id}/undo/`, { is_partial: false });
  expect(undone.body).toMatchObject({ entry: { state: "undone" }, restored_count: 2, left: [] });
  expect(await readSkills()).toEqual(["Git", "Perl"]);
  expect((await call(999, "POST", `${body.entry.id}/undo/`, { is_partial: false })).body.code).toBe(
    "nothing_to_undo",
  );
  const list = (await call(999, "GET", "")).body.results;
  expect(list.map(({ state, can_undo }: { state: string; can_undo: boolean }) => [state, can_undo])).toEqual([
    ["undone", false],
    ["applied", true],
  ]);
});

test("a plan of another CV isn't applied, and an import isn't applied twice", async () => {
  await importFile(BEFORE);
  const { body } = await call(999, "POST", "", send(AFTER));
  await site.database.pool.query(`UPDATE cv_skill SET level = '{"en": "mine"}'`);
  const about = { answers: NONE, fingerprint: body.plan.fingerprint };
  expect((await call(999, "POST", `${body.entry.id}/apply/`, about)).body.code).toBe("import_stale");
  const next = (await call(999, "GET", `${body.entry.id}/`)).body.plan.fingerprint;
  const path = `${body.entry.id}/apply/`;
  expect((await call(999, "POST", path, { answers: NONE, fingerprint: next })).status).toBe(200);
  expect((await call(999, "POST", path, { answers: NONE, fingerprint: next })).body.code).toBe("import_over");
});

test("an undo names what people changed since, and does the rest when asked to", async () => {
  await importFile(BEFORE);
  const { body } = await importFile(AFTER);
  await site.database.pool.query("UPDATE cv_skill SET updated_at = clock_timestamp()");
  const path = `${body.entry.id}/undo/`;
  const refused = await call(999, "POST", path, { is_partial: false });
  expect(refused.status).toBe(409);
  expect(refused.body.errors).toEqual([
    { field: "Tools: Git", code: "undo_changed", message: "Changed since the import." },
  ]);
  expect((await call(999, "POST", path, { is_partial: true })).body.left).toHaveLength(1);
  expect(await readSkills()).toEqual(["Git", "Perl"]);
});

test("faults of a file stand with path, line and column, and no draft is left", async () => {
  const faulty = { file_name: "cv.json", lang: "en", text: '{"work": [{"startDate": "May"}]}' };
  const { status, body } = await call(999, "POST", "", faulty);
  expect([status, body.code]).toEqual([400, "import_invalid"]);
  expect(body.errors[0].message).toMatch(/^work\[0\]\.startDate: expected a date/);
  const broken = await call(999, "POST", "", { ...faulty, text: '{\n  "work": ]' });
  expect(broken.body.errors[0].message).toMatch(/^line 2, column 11: /);
  const huge = await call(999, "POST", "", { ...faulty, text: "x".repeat(6 * 1024 * 1024) });
  expect(huge.status).toBe(400);
  expect((await call(999, "GET", "")).body.results).toEqual([]);
});

test("faults are told in the reader's language, and those beyond fifty are counted", async () => {
  const refuse = async (text: string) =>
    (await call(999, "POST", "", { file_name: "x", lang: "en", text }, "tr")).body;
  const { message, errors } = await refuse('{"work": [{"startDate": "Mayıs"}]}');
  expect(message).toMatch(/^Dosya içe aktarılamıyor/);
  expect(errors[0].message).toBe(
    'work[0].startDate: 2024, 2024-05 veya 2024-05-31 gibi bir tarih olmalı, bulunan: "Mayıs"',
  );
  expect((await refuse("{")).errors[0].message).toBe(
    "satır 1, sütun 2: çift tırnak içinde bir anahtar veya } olmalı, bulunan: dosyanın sonu",
  );
  const many = await refuse(JSON.stringify({ skills: Array.from({ length: 60 }, () => ({ name: 1 })) }));
  expect(many.errors).toHaveLength(51);
  expect(many.errors[50].message).toBe("ve 10 hata daha");
});

test("so many files in ten minutes are enough", async () => {
  const own = await createTestApp();
  try {
    const { authorization } = await own.signInAs(999);
    const statuses = [];
    for (let turn = 0; turn < 31; turn++) {
      const payload = { file_name: "x", lang: "en", text: "{" };
      const answer = await own.app.inject({ method: "POST", url: URL, headers: { authorization }, payload });
      statuses.push(answer.statusCode);
    }
    expect(statuses).toEqual([...Array(30).fill(400), 429]);
  } finally {
    await own.close();
  }
});
