import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { readDatabaseName } from "#server/db/site-processes.ts";
import { startTestS3, type TestS3 } from "#test/s3.ts";
import { makePhoto } from "../pictures/fixture.ts";
import { forgetDrawn } from "../pictures/service.ts";
import { openStores } from "./stores.ts";
import { createFileSite, type FileSite, makePdf } from "./test-files.ts";
import { sweepBytes } from "./writer.ts";

let service: TestS3;
let files: FileSite;
let steady = 0;

const open = (isRedirected: boolean) => {
  const fileStore = { address: service.address, isRedirected };
  return openStores({ dataDir: "/nowhere", fileStore }, { steadyMs: () => steady });
};

beforeAll(async () => {
  service = await startTestS3();
  files = await createFileSite({ stores: open(false), steadyMs: () => steady });
});
afterAll(async () => {
  await files.site.close();
  await service.close();
});
// The pause after a service that was away is over.
beforeEach(() => {
  steady += 60_000;
});

const get = (
  url: string,
  headers: Record<string, string> = {},
  method: "GET" | "HEAD" = "GET",
  site = files,
) => site.site.app.inject({ method, url, headers });

/** A file that a public row uses, by its address. */
async function publish(content: Buffer, site = files): Promise<string> {
  const { status, body } = await site.upload(content);
  expect([status, body.message]).toEqual([201, undefined]);
  await site.create("certificate", { label: { en: "One", tr: "Bir" }, file: body.url });
  return body.url;
}

test("an upload goes to the bucket, and is answered as from the folder: bytes, type, head, and what the client has", async () => {
  const content = makePdf("in a bucket");
  const url = await publish(content);
  const key = url.slice("/files/".length);
  const stored = open(false).remote.get("files");
  expect(await stored?.stat(key)).toEqual({ byteSize: content.length });

  const whole = await get(url);
  expect([whole.statusCode, whole.rawPayload.equals(content)]).toEqual([200, true]);
  expect(whole.headers).toMatchObject({
    "content-type": "application/pdf",
    "content-length": String(content.length),
    "content-disposition": `inline; filename="${key}"`,
    etag: `"${key}"`,
    "x-content-type-options": "nosniff",
  });
  const head = await get(url, {}, "HEAD");
  expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
  for (const name of ["content-type", "content-length", "content-disposition", "etag", "cache-control"])
    expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
  const known = await get(url, { "if-none-match": `"${key}"` });
  expect([known.statusCode, known.rawPayload.length]).toEqual([304, 0]);
  expect((await get(`/files/${"0".repeat(32)}.pdf`)).statusCode).toBe(404);
  expect((await get(`/files/${"0".repeat(32)}.pdf`, {}, "HEAD")).statusCode).toBe(404);
});

test("a file that no public row uses is for the console alone", async () => {
  const { body } = await files.upload(makePdf("of nobody"));
  expect((await get(body.url)).statusCode).toBe(404);
  expect((await get(body.url, { "if-none-match": `"${body.url.slice(7)}"` })).statusCode).toBe(404);
});

test("smaller pictures are drawn from the bucket and kept in it, until their file is deleted", async () => {
  const url = await publish(makePhoto("png"));
  const key = url.slice("/files/".length);
  const drawn = await get(`/pictures/${key}/192.webp`);
  expect([drawn.statusCode, drawn.headers["content-type"]]).toEqual([200, "image/webp"]);
  const pictures = open(false).remote.get("pictures");
  const names = async () => {
    const found: string[] = [];
    for await (const { name } of pictures?.list() ?? []) found.push(name);
    return found;
  };
  expect(await names()).toHaveLength(1);
  const etag = String(drawn.headers.etag);
  expect((await get(`/pictures/${key}/192.webp`, { "if-none-match": etag })).statusCode).toBe(304);

  const rows = await files.site.database.pool.query<{ id: number }>(
    "SELECT id FROM stored_file WHERE key = $1",
    [key],
  );
  await files.site.database.pool.query("DELETE FROM cv_certificate WHERE file = $1", [key]);
  const removed = await files.call("DELETE", `${files.objects("stored_file")}${rows.rows[0]?.id}/`);
  expect(removed.status).toBe(204);
  expect(await names()).toEqual([]);
  expect(await open(false).remote.get("files")?.stat(key)).toBeUndefined();
});

test("what is deleted stays in the bucket of another database, and goes from one's own", async () => {
  const { mark } = open(false);
  const { pool } = files.site.database;
  const stored = open(false).openStorage("files");
  const upload = async (text: string) => {
    const { body } = await files.upload(makePdf(text));
    return body.url.slice("/files/".length);
  };
  const remove = async (key: string) => {
    const { rows } = await pool.query<{ id: number }>("SELECT id FROM stored_file WHERE key = $1", [key]);
    expect((await files.call("DELETE", `${files.objects("stored_file")}${rows[0]?.id}/`)).status).toBe(204);
  };
  await mark?.write("another");
  const left = await upload("of a copy");
  await remove(left);
  expect(await stored.stat(left)).toBeDefined();
  await stored.delete(left);

  await mark?.write(await readDatabaseName(pool));
  steady += 60_000;
  const own = await upload("of the owner");
  await remove(own);
  expect(await stored.stat(own)).toBeUndefined();
});

describe("while the service is away", () => {
  test("uploads and downloads are refused in the documented form, pages and console go on, health says so; then all is whole", async () => {
    const content = makePdf("while away");
    const url = await publish(content);
    const picture = await files.upload(makePhoto("jpeg"));
    const gone = await files.upload(makePdf("deleted while away"));
    await service.stop();
    steady += 60_000;

    const download = await get(url);
    expect([download.statusCode, download.headers["retry-after"]]).toEqual([503, "5"]);
    expect(download.json()).toMatchObject({
      code: "files_unavailable",
      status: 503,
      message:
        "The place where files are stored can't be reached right now. Nothing was lost; please try again in a moment.",
    });
    expect(download.body).not.toContain("S3RVER");
    const upload = await files.upload(makePdf("not taken"));
    expect([upload.status, upload.body.code]).toEqual([503, "files_unavailable"]);
    expect((await files.upload(makePdf("not taken"), { lang: "tr" })).body.message).toMatch(
      /^Dosyaların saklandığı/,
    );
    const key = gone.body.url.slice("/files/".length);
    const { rows } = await files.site.database.pool.query<{ id: number }>(
      "SELECT id FROM stored_file WHERE key = $1",
      [key],
    );
    expect((await files.call("DELETE", `${files.objects("stored_file")}${rows[0]?.id}/`)).status).toBe(204);

    expect((await get("/cv")).statusCode).toBe(200);
    // A page that is drawn now is kept for longer than that: its picture stays in it.
    const text = { en: `![A](${picture.body.url})`, tr: null };
    await files.create("page", { slug: "drawn-now", title: { en: "A", tr: "A" }, body: text });
    expect((await get("/en/drawn-now")).body).toContain(`<img src=\\"${picture.body.url}\\"`);
    expect((await files.call("GET", files.objects("certificate"))).status).toBe(200);
    steady += 60_000;
    const health = await files.call("GET", "/api/health/");
    expect(health.body.services.file_storage).toEqual({
      status: "critical",
      message: expect.stringContaining(`Files lie in ${service.address.title}, which can't be used: `),
    });

    await service.startAgain();
    steady += 60_000;
    expect((await get(url)).rawPayload.equals(content)).toBe(true);
    expect((await files.upload(makePdf("not taken"))).status).toBe(201);
    expect((await files.call("GET", "/api/health/")).body.services.file_storage.status).not.toBe("critical");

    // What was deleted meanwhile goes with the daily sweep; what a row names, and what is young, stays.
    const [stored, drawn] = ["files", "pictures"].map((name) => open(false).openStorage(name));
    if (!stored || !drawn) throw new Error("no storages");
    expect(await stored.stat(key)).toBeDefined();
    const forgetPictures = (name: string) => forgetDrawn(drawn, name);
    const { pool } = files.site.database;
    expect(await sweepBytes({ pool, storage: stored, forgetPictures }, new Date())).toBe(0);
    const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000);
    expect(await sweepBytes({ pool, storage: stored, forgetPictures }, tomorrow)).toBe(1);
    expect([await stored.stat(key), (await get(url)).statusCode]).toEqual([undefined, 200]);
  });
});

describe("with S3_REDIRECT", () => {
  let redirecting: FileSite;
  beforeAll(async () => {
    redirecting = await createFileSite({ stores: open(true) });
  });
  afterAll(() => redirecting.site.close());

  test("who opens a file is sent to a signed address that answers as the site would; a page's own requests aren't", async () => {
    const content = makePdf("elsewhere");
    const url = await publish(content, redirecting);
    const asked = await get(url, { "sec-fetch-dest": "document" }, "GET", redirecting);
    expect([asked.statusCode, asked.headers["cache-control"]]).toEqual([302, "private, no-store"]);
    const address = String(asked.headers.location);
    expect(address.startsWith(service.address.endpoint)).toBe(true);
    const answer = await fetch(address);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(answer.headers.get("content-disposition")).toBe(`inline; filename="${url.slice(7)}"`);
    // It can't be used for anything else.
    expect((await fetch(address.replace("inline", "attachment"))).status).toBe(403);
    expect((await fetch(address, { method: "DELETE" })).status).toBe(403);

    expect((await get(url, {}, "GET", redirecting)).statusCode).toBe(302);
    for (const headers of [
      { "sec-fetch-dest": "image" },
      { "sec-fetch-dest": "empty" },
      { accept: "image/avif,*/*" },
    ])
      expect((await get(url, headers, "GET", redirecting)).statusCode).toBe(200);
    expect((await get(url, {}, "HEAD", redirecting)).statusCode).toBe(200);
  });

  test("nobody is sent to a file that they may not open, and to no drawing", async () => {
    const { body } = await redirecting.upload(makePdf("private"));
    expect((await get(body.url, {}, "GET", redirecting)).statusCode).toBe(404);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
    const url = await publish(svg, redirecting);
    const answer = await get(url, { "sec-fetch-dest": "document" }, "GET", redirecting);
    expect([answer.statusCode, answer.headers["content-security-policy"]]).toEqual([
      200,
      expect.stringContaining("sandbox"),
    ]);
    expect((await get(`/files/${"0".repeat(32)}.pdf`, {}, "GET", redirecting)).statusCode).toBe(404);
  });
});
