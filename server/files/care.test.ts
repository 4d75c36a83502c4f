import { createHash } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createLocalLeases } from "#server/db/leases/lease.ts";
import { makePhoto, makeTurnedPhoto } from "#server/pictures/fixture.ts";
import { createFileCheck, type FileCheck } from "./check.ts";
import { createFileService } from "./service.ts";
import { createLocalStorage } from "./store.ts";
import { createFileSite, type FileSite, makePdf } from "./test-files.ts";

let files: FileSite;
beforeAll(async () => {
  files = await createFileSite();
});
afterAll(() => files.site.close());

const pool = () => files.site.database.pool;
const toKey = (url: string) => url.slice("/files/".length);
const toPath = (key: string) => join(files.site.dataDir, "files", key.slice(0, 2), key);
const statusOf = async (url: string) => (await files.site.app.inject({ url })).statusCode;

async function find(url: string) {
  const { rows } = await pool().query("SELECT * FROM stored_file WHERE key = $1", [toKey(url)]);
  return rows[0];
}
const replace = (id: number, file: string, as = files.owner) =>
  files.call("POST", `/api/admin/files/${id}/replace/`, { body: { file }, as });

describe("a replaced file", () => {
  test("gives way in every record and text, under one operation of the log, and is gone", async () => {
    const { body: old } = await files.upload(makePhoto("png", 30, 20), { name: "old.png" });
    const { body: next } = await files.upload(makePhoto("png", 31, 20), {
      model: "stored_file",
      field: "file",
      name: "new.png",
    });
    const made = await files.create("certificate", { label: { en: "A" }, file: old.url });
    const hidden = await files.create("certificate", { label: { en: "B" }, file: old.url, is_hidden: true });
    await pool().query(
      `INSERT INTO site_page (slug, title, body) VALUES ('about', '{"en":"About"}', jsonb_build_object('en', '![a](' || $1 || ') and ![b](' || $1 || ')'))`,
      [old.url],
    );
    const answer = await replace((await find(old.url)).id, next.url);
    expect(answer).toMatchObject({ status: 200, body: { id: (await find(next.url)).id } });
    for (const { id } of [made, hidden]) {
      const { body } = await files.call("GET", `${files.objects("certificate")}${id}/`);
      expect(body.file).toBe(next.url);
    }
    const { rows } = await pool().query("SELECT body ->> 'en' AS text FROM site_page WHERE slug = 'about'");
    expect(rows[0].text).toBe(`![a](${next.url}) and ![b](${next.url})`);
    expect([await statusOf(old.url), await statusOf(next.url), await find(old.url)]).toEqual([
      404,
      200,
      undefined,
    ]);
    expect(await readdir(join(toPath(toKey(old.url)), ".."))).not.toContain(toKey(old.url));
    const { rows: entries } = await pool().query(
      "SELECT action_type, batch_id, username FROM audit_entry WHERE detail = 'file_replaced'",
    );
    expect(entries.map(({ action_type }) => action_type).sort()).toEqual([
      "DELETE",
      "UPDATE",
      "UPDATE",
      "UPDATE",
    ]);
    expect(new Set(entries.map(({ batch_id, username }) => `${batch_id} ${username}`)).size).toBe(1);
  });

  test("stays where a field doesn't take the new type, and nothing is written", async () => {
    const { body: icon } = await files.upload(makePhoto("png", 32, 20), { model: "skill", field: "icon" });
    const made = await files.create("skill", { label: { en: "Skill" }, icon: icon.url });
    const { body: pdf } = await files.upload(makePdf("no icon"));
    const answer = await replace((await find(icon.url)).id, pdf.url);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: "replacement_refused" }] } });
    const { body } = await files.call("GET", `${files.objects("skill")}${made.id}/`);
    expect(body.icon).toBe(icon.url);
    expect(await statusOf(icon.url)).toBe(200);
  });

  test.each([
    ["by an address of no file", () => `/files/${"0".repeat(32)}.png`, 400],
    ["by a text that is no address", () => "x", 400],
  ])("%s is refused", async (_, toFile, status) => {
    const { body } = await files.upload(makePdf("stays"));
    expect((await replace((await find(body.url)).id, toFile())).status).toBe(status);
    expect(await find(body.url)).toBeDefined();
  });

  test("is for who may delete it", async () => {
    const { body } = await files.upload(makePdf("not staff's"));
    expect((await replace((await find(body.url)).id, body.url, files.staff)).status).toBe(403);
    const upload = await files.upload(makePdf("x"), { model: "stored_file", as: files.staff });
    expect(upload.status).toBe(403);
    expect((await replace(4242, body.url)).status).toBe(404);
  });
});

describe("the daily check", () => {
  let now = new Date("2026-11-26T03:00:00Z");
  let check: FileCheck;
  beforeAll(async () => {
    const storage = createLocalStorage(join(files.site.dataDir, "files"));
    const log = pino({ level: "silent" });
    const service = createFileService(pool(), storage, () => null);
    check = createFileCheck({
      pool: pool(),
      leases: createLocalLeases(),
      feed: files.site.feed,
      storage,
      files: service,
      now: () => now,
      log,
      contentTypeId: files.typeOf("stored_file"),
      removeBytes: (key) => storage.delete(key),
      async replaceUses(db, { from, to }) {
        await db.query("UPDATE cv_certificate SET file = $2 WHERE file = $1", [from, to]);
        return ["cv.certificate"];
      },
    });
  });

  const health = async () =>
    (await files.call("GET", "/api/health/")).body.services.file_storage as {
      status: string;
      message: string;
    };

  test("finds what is damaged and what is missing, once a day, and says so until it is right", async () => {
    const { body: damaged } = await files.upload(makePdf("damaged"), { name: "damaged.pdf" });
    await files.create("certificate", { label: { en: "D" }, file: damaged.url });
    const { body: missing } = await files.upload(makePdf("missing"), { name: "missing.pdf" });
    await check.run();
    expect(await find(damaged.url)).toMatchObject({ fault: null, checked_at: expect.anything() });

    await writeFile(toPath(toKey(damaged.url)), "%PDF-1.4 other bytes");
    await rm(toPath(toKey(missing.url)));
    await check.run();
    expect((await find(damaged.url)).fault).toBeNull(); // it was read today

    now = new Date(now.getTime() + 24 * 60 * 60 * 1000);
    await check.run();
    expect([(await find(damaged.url)).fault, (await find(missing.url)).fault]).toEqual([
      "damaged",
      "missing",
    ]);
    expect(await statusOf(damaged.url)).toBe(404);
    const { status, message } = await health();
    expect(status).toBe("critical");
    expect(message).toMatch(/2 stored files are damaged or missing: .*damaged\.pdf/);

    await files.upload(makePdf("damaged"), { name: "damaged.pdf" });
    expect((await find(damaged.url)).fault).toBeNull(); // its right bytes were stored anew
    await writeFile(toPath(toKey(missing.url)), makePdf("missing"));
    now = new Date(now.getTime() + 24 * 60 * 60 * 1000);
    await check.run();
    expect([(await find(damaged.url)).fault, (await find(missing.url)).fault]).toEqual([null, null]);
    expect(await statusOf(damaged.url)).toBe(200);
  });

  test("strips pictures from before, under a new name that their records name", async () => {
    const photo = makeTurnedPhoto(50, 30);
    const secret = Buffer.from("\xff\xfe\x00\x0aGPS 41N!", "latin1");
    const old = Buffer.concat([photo.subarray(0, 2), secret, photo.subarray(2)]);
    const key = `${createHash("sha256").update(old).digest("hex").slice(0, 32)}.jpg`;
    await createLocalStorage(join(files.site.dataDir, "files")).put(key, old);
    await pool().query(
      "INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ($1, 'beach.jpg', 'image/jpeg', $2)",
      [key, old.length],
    );
    const made = await files.create("certificate", { label: { en: "beach" }, file: `/files/${key}` });
    await check.run();
    const { body } = await files.call("GET", `${files.objects("certificate")}${made.id}/`);
    expect(body.file).not.toBe(`/files/${key}`);
    const served = await files.site.app.inject({ url: body.file });
    expect([served.statusCode, served.rawPayload.includes("GPS")]).toEqual([200, false]);
    expect(await find(body.file)).toMatchObject({ name: "beach.jpg", is_stripped: true });
    expect(await statusOf(`/files/${key}`)).toBe(404);
  });

  test("stops in the middle when it is closed", async () => {
    now = new Date(now.getTime() + 24 * 60 * 60 * 1000);
    await check.close();
    await check.run();
    const { rows } = await pool().query("SELECT max(checked_at) AS last FROM stored_file");
    expect(rows[0].last < now.toISOString()).toBe(true);
  });
});
