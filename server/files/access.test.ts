import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { loginAnswer } from "#contract/accounts/accounts.ts";
import { declareModel } from "#server/models/declare.ts";
import { makePhoto } from "#server/pictures/fixture.ts";
import { createFileSite, type FileSite, makePdf } from "./test-files.ts";

/** Scans that the superuser alone sees. */
const scanTable = pgTable("test_scan", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  title: text("title").notNull(),
  scan: text("scan"),
});
const scan = declareModel({
  app: "test",
  name: "scan",
  table: scanTable,
  labels: { en: "Scan", tr: "Tarama" },
  pluralLabels: { en: "Scans", tr: "Taramalar" },
  help: { en: "Scans.", tr: "Taramalar." },
  fields: {
    title: { kind: "text", labels: { en: "Title", tr: "Başlık" } },
    scan: { kind: "file", labels: { en: "Scan", tr: "Tarama" }, accept: ["application/pdf"] },
  },
  title: "title",
  list: ["title"],
  defaultSort: [{ field: "title", direction: "asc" }],
  access: { view: 999, create: 999, update: 999, delete: 999 },
});
const SCAN_SQL = `CREATE TABLE test_scan (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, title text NOT NULL,
  scan text REFERENCES stored_file(key))`;

let files: FileSite;
beforeAll(async () => {
  files = await createFileSite({ extraModels: [scan], setUpSql: SCAN_SQL });
});
afterAll(() => files.site.close());

type Headers = { authorization: string } | { cookie: string } | { "if-none-match": string };
const toHeaders = (headers: Headers) => ({
  ...("authorization" in headers && { authorization: headers.authorization }),
  ...("cookie" in headers && { cookie: headers.cookie }),
  ...("if-none-match" in headers && { "if-none-match": headers["if-none-match"] }),
});
const get = (url: string, headers?: Headers) =>
  files.site.app.inject({ url, ...(headers && { headers: toHeaders(headers) }) });
const statusOf = async (url: string, headers?: Headers) => (await get(url, headers)).statusCode;

/** A certificate with a PDF of its own. */
async function makeCertificate(text: string, values: object = {}) {
  const { body } = await files.upload(makePdf(text), { name: `${text}.pdf` });
  const made = await files.create("certificate", { label: { en: text }, file: body.url, ...values });
  return { url: body.url as string, id: made.id, path: `${files.objects("certificate")}${made.id}/` };
}

async function findFileId(url: string): Promise<number> {
  const { rows } = await files.site.database.pool.query<{ id: number }>(
    "SELECT id FROM stored_file WHERE key = $1",
    [url.slice("/files/".length)],
  );
  return rows[0]?.id ?? 0;
}

describe("a file is public", () => {
  test("while a row that visitors see uses it, kept by nobody on the way", async () => {
    const { url } = await makeCertificate("shown");
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "cache-control": "public, max-age=300, s-maxage=0, must-revalidate",
      "content-type": "application/pdf",
      "cross-origin-resource-policy": "cross-origin",
    });
    const again = await get(url, { "if-none-match": String(answer.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  test("not before a row uses it, nor once the row is hidden or deleted; the console opens it all the time", async () => {
    const { body } = await files.upload(makePdf("later"), { name: "later.pdf" });
    const { url } = body;
    expect([await statusOf(url), await statusOf(url, files.staff)]).toEqual([404, 200]);
    const made = await files.create("certificate", { label: { en: "later" }, file: url });
    const path = `${files.objects("certificate")}${made.id}/`;
    expect(await statusOf(url)).toBe(200);
    await files.call("PATCH", path, { body: { is_hidden: true } });
    expect([await statusOf(url), await statusOf(url, files.staff)]).toEqual([404, 200]);
    await files.call("PATCH", path, { body: { is_hidden: false } });
    expect(await statusOf(url)).toBe(200);
    expect((await files.call("DELETE", path)).status).toBe(204);
    expect([await statusOf(url), await statusOf(url, files.staff)]).toEqual([404, 200]);
    const answer = await get(url, files.staff);
    expect(answer.headers).toMatchObject({ "cache-control": "private, no-store" });
    expect((await get(url)).headers["cache-control"]).toBe("no-store");
  });

  test("where one of two rows that use it is hidden", async () => {
    const { url, path } = await makeCertificate("twice");
    await files.create("certificate", { label: { en: "twice again" }, file: url });
    await files.call("PATCH", path, { body: { is_hidden: true } });
    expect(await statusOf(url)).toBe(200);
  });

  test("where a page's text shows it", async () => {
    const { body } = await files.upload(makePhoto("png", 40, 41), { name: "page.png" });
    expect(await statusOf(body.url)).toBe(404);
    await files.site.database.pool.query(
      `INSERT INTO site_page (slug, title, body) VALUES ('about', '{"en":"About"}', jsonb_build_object('tr', '![x](' || $1 || ')'))`,
      [body.url],
    );
    files.site.feed.announce("site.page");
    expect(await statusOf(body.url)).toBe(200);
    expect(await statusOf(`/pictures${body.url.slice("/files".length)}/192.webp`)).toBe(200);
  });
});

test("smaller pictures are open to whom the file is", async () => {
  const { body } = await files.upload(makePhoto("png", 400, 300), { name: "photo.png" });
  const picture = `/pictures${body.url.slice("/files".length)}/192.webp`;
  expect([await statusOf(picture), await statusOf(picture, files.staff)]).toEqual([404, 200]);
  expect((await get(picture, files.staff)).headers["cache-control"]).toBe("private, no-store");
  await files.create("certificate", { label: { en: "photo" }, file: body.url });
  expect((await get(picture)).headers["cache-control"]).toBe(
    "public, max-age=300, s-maxage=0, must-revalidate",
  );
});

test("a file that only rows above a person's level use is none for them", async () => {
  const { body } = await files.upload(makePdf("vault"), { model: "scan", field: "scan", name: "vault.pdf" });
  await files.create("scan", { title: "secret", scan: body.url });
  expect([await statusOf(body.url, files.owner), await statusOf(body.url, files.staff)]).toEqual([200, 404]);
});

test("a visitor's account opens no hidden file, whatever token it sends", async () => {
  const { url, path } = await makeCertificate("level one");
  await files.call("PATCH", path, { body: { is_hidden: true } });
  const visitor = await files.site.signInAs(1, "visitor");
  expect(await statusOf(url, visitor)).toBe(404);
  expect(await statusOf(url, { authorization: "Bearer nonsense" })).toBe(404);
});

describe("the console's pictures and links", () => {
  const signIn = async (username: string) =>
    files.site.app.inject({
      method: "POST",
      url: "/api/admin/login/",
      payload: { username, password: files.owner.password },
    });
  const passOf = (answer: { cookies: { name: string; value: string; path?: string }[] }) =>
    answer.cookies.filter(({ name }) => /foyer_files/.test(name));

  test("are opened by a cookie of their addresses alone, until the session ends", async () => {
    const { url, path } = await makeCertificate("cookie");
    await files.call("PATCH", path, { body: { is_hidden: true } });
    const answer = await signIn("staff");
    const passes = passOf(answer);
    const kept = { name: "__Secure-foyer_files", httpOnly: true, sameSite: "Strict", secure: true };
    expect(passes).toMatchObject([
      { path: "/files", ...kept },
      { path: "/pictures", ...kept },
      { path: "/api/docs", ...kept },
    ]);
    const cookie = `__Secure-foyer_files=${passes[0]?.value}`;
    expect(await statusOf(url, { cookie })).toBe(200);
    // As it was called before, and is without HTTPS.
    expect(await statusOf(url, { cookie: `foyer_files=${passes[0]?.value}` })).toBe(200);
    expect(await statusOf(url, { cookie: `${cookie.slice(0, -2)}AA` })).toBe(404);
    // It opens nothing else.
    expect(await statusOf("/api/users/me/", { cookie })).toBe(401);
    const { tokens } = loginAnswer.parse(answer.json());
    const refreshed = await files.site.app.inject({
      method: "POST",
      url: "/api/admin/refresh/",
      payload: { refresh: tokens.refresh_token },
    });
    expect(passOf(refreshed)).toHaveLength(3);
    const signedOut = await files.site.app.inject({
      method: "POST",
      url: "/api/admin/logout/",
      payload: { refresh: refreshed.json().refresh },
    });
    expect(passOf(signedOut).map(({ value }) => value)).toEqual(["", "", ""]);
    expect(await statusOf(url, { cookie })).toBe(404);
  });

  test("need none for people who don't open the console", async () => {
    await files.site.signInAs(1, "plain");
    const answer = await files.site.app.inject({
      method: "POST",
      url: "/api/users/login/",
      payload: { username: "plain", password: files.owner.password },
    });
    expect([answer.statusCode, passOf(answer)]).toEqual([200, []]);
  });
});

describe("a deletion", () => {
  test("is refused in words that name where the file is used, in both languages", async () => {
    const { url } = await makeCertificate("in use");
    const path = `${files.objects("stored_file")}${await findFileId(url)}/`;
    const answer = await files.call("DELETE", path);
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: "file_in_use",
        message:
          "This file is used in Certificate “in use”. Take it out there first, or replace it by another file.",
      },
    });
    const turkish = await files.call("DELETE", path, { lang: "tr" });
    expect(turkish.body.message).toContain("Sertifika “in use”");
    expect(await statusOf(url)).toBe(200);
  });

  test("takes row, bytes and pictures along, at once and for everybody", async () => {
    const { body } = await files.upload(makePhoto("jpeg", 300, 200), { name: "scan.jpg" });
    const picture = `/pictures${body.url.slice("/files".length)}/192.webp`;
    const made = await files.create("certificate", { label: { en: "scan" }, file: body.url });
    expect(await statusOf(picture)).toBe(200);
    const drawnBefore = (await listPictures()).length;
    await files.call("DELETE", `${files.objects("certificate")}${made.id}/`);
    const id = await findFileId(body.url);
    expect(
      (await files.call("DELETE", `${files.objects("stored_file")}${id}/`, { as: files.staff })).status,
    ).toBe(403);
    expect((await files.call("DELETE", `${files.objects("stored_file")}${id}/`)).status).toBe(204);
    for (const url of [body.url, picture])
      expect([await statusOf(url), await statusOf(url, files.owner)]).toEqual([404, 404]);
    expect((await listPictures()).length).toBe(drawnBefore - 1);
    const { body: history } = await files.call("GET", `${files.objects("stored_file")}${id}/history/`);
    expect(history.entries[0]).toMatchObject({ action_type: "DELETE" });
    // Uploaded again it is there again.
    const again = await files.upload(makePhoto("jpeg", 300, 200), { name: "scan.jpg" });
    expect(await statusOf(again.body.url, files.owner)).toBe(200);
  });

  test("of many by a query leaves those in use, with the reason", async () => {
    const kept = await makeCertificate("kept");
    const { body: left } = await files.upload(makePdf("sweep me"), { name: "sweep.pdf" });
    const ids = [await findFileId(kept.url), await findFileId(left.url)];
    const { body } = await files.call("POST", `${files.objects("stored_file")}bulk/`, {
      body: { operation: "delete", object_ids: ids },
    });
    expect(JSON.stringify(body)).toContain("These are in use");
    expect([await findFileId(kept.url), await findFileId(left.url)]).toEqual([ids[0], 0]);
  });
});

/** Notices come in order: when this one is there, so are those of all writes before. */
async function receiveAllNotices(): Promise<void> {
  const { feed, database } = files.site;
  const isThere = new Promise<void>((resolve) =>
    feed.subscribe((modelKey) => modelKey === "test.last" && resolve()),
  );
  await database.pool.query("SELECT pg_notify('foyer_changed', 'test.last')");
  await isThere;
}

const listPictures = async () =>
  (await readdir(join(files.site.dataDir, "pictures"), { recursive: true })).filter((name) =>
    name.endsWith(".webp"),
  );

test("a public file and its pictures cost no statement once their models are known", async () => {
  const { url } = await makeCertificate("counted");
  await receiveAllNotices();
  await get(url);
  const query = jest.spyOn(files.site.database.pool, "query");
  const connect = jest.spyOn(files.site.database.pool, "connect");
  expect([await statusOf(url), await statusOf(`/files/${"0".repeat(32)}.png`)]).toEqual([200, 404]);
  // Notices of the log go out when they come to it, each with a connection of the pool.
  const [asked, notices] = [[] as unknown[], [] as unknown[]];
  for (const [sql] of query.mock.calls)
    (String(sql).startsWith("SELECT pg_notify(") ? notices : asked).push(sql);
  expect([asked, connect.mock.calls.length]).toEqual([[], notices.length]);
});
