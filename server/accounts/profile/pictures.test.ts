import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createCanvas } from "@napi-rs/canvas";
import type pg from "pg";
import { makePhoto, makePngBomb, makeTurnedPhoto, readPicture, SVG } from "#server/pictures/fixture.ts";
import { meetAtLock } from "#test/meet-at-lock.ts";
import { openProfiles, type Person, type ProfilesFixture, readFaults } from "./fixture.ts";

// The drawing process takes its time to start on a busy machine.

let profiles: ProfilesFixture;
let ada: Person;
let count = 0;
const toBlob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);

beforeAll(async () => {
  profiles = await openProfiles();
});
// Uploads are counted by person.
beforeEach(async () => {
  ada = await profiles.addPerson(`person_${++count}`);
  await profiles.takeAudit();
});
afterAll(() => profiles.close());

const open = (address: string, headers: Record<string, string> = {}) =>
  profiles.site.app.inject({ url: address, headers });
const makeAvif = () => createCanvas(600, 600).encodeSync("avif");

/** Files of all people's pictures. */
async function countStored(): Promise<number> {
  const folder = join(profiles.site.dataDir, "people");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.includes(".")).length;
}

test("pictures are cut to their shapes, served to everybody for ever, and named in the log", async () => {
  const photo = toBlob(makeTurnedPhoto(1000, 2000));
  const answer = await profiles.putForm(ada, { avatar: photo, cover: photo, bio: "With pictures" });
  expect(answer.statusCode).toBe(200);
  const { avatar, cover, bio } = answer.json() as Record<string, string>;
  expect(bio).toBe("With pictures");
  expect(avatar).toMatch(/^\/pictures\/people\/[0-9a-f]{32}\.webp$/);
  const seen = await open(avatar ?? "");
  expect(seen.headers).toMatchObject({
    "content-type": "image/webp",
    "content-length": String(seen.rawPayload.length),
    "cache-control": "private, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("sandbox"),
  });
  expect(seen.rawPayload.includes("Exif")).toBe(false);
  expect(await readPicture(seen.rawPayload)).toMatchObject({ width: 512, height: 512 });
  expect(await readPicture((await open(cover ?? "")).rawPayload)).toMatchObject({ width: 1600, height: 480 });
  expect((await open(avatar ?? "", { "if-none-match": String(seen.headers.etag) })).statusCode).toBe(304);
  expect((await profiles.call("GET", "/api/users/me/", ada)).json()).toMatchObject({
    profile: { avatar, cover },
  });
  const [entry] = await profiles.takeAudit();
  expect(entry?.changes?.avatar).toEqual({ before: null, after: avatar?.split("/").at(-1) });
});

test("a replaced and a removed picture are gone; the same picture of two people is two files", async () => {
  const other = await profiles.addPerson(`other_${count}`);
  const photo = toBlob(makePhoto("png"));
  const first = (await profiles.putForm(ada, { avatar: photo })).json().avatar;
  const others = (await profiles.putForm(other, { avatar: photo })).json().avatar;
  const second = (await profiles.putForm(ada, { avatar: photo })).json().avatar;
  expect(new Set([first, others, second]).size).toBe(3);
  expect((await open(first)).statusCode).toBe(404);
  expect((await profiles.putForm(ada, { avatar: "" })).json().avatar).toBeNull();
  expect((await open(second)).statusCode).toBe(404);
  expect((await open(others)).statusCode).toBe(200);
});

/** The next change of an account is committed, and the connection breaks before anybody hears of it. */
function breakAtCommit(): void {
  const { pool } = profiles.site.database;
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<pg.PoolClient>; // its forms differ in what they take
  const broken = async (...args: unknown[]) => {
    if (args.length > 0) return connect(...args);
    const client = await connect();
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    let hasWritten = false;
    const breaking = async (...given: unknown[]) => {
      const answer = await query(...given);
      hasWritten ||= String(given[0]).includes("UPDATE account_user");
      if (given[0] !== "COMMIT") return answer;
      client.query = query as typeof client.query;
      if (!hasWritten) return answer;
      pool.connect = connect as typeof pool.connect;
      throw new Error("Connection terminated unexpectedly");
    };
    client.query = breaking as typeof client.query;
    return client;
  };
  pool.connect = broken as typeof pool.connect;
}

test("a picture stays where nobody knows what came of the commit", async () => {
  breakAtCommit();
  const answer = await profiles.putForm(ada, { avatar: toBlob(makePhoto("png")) });
  expect(answer.statusCode).toBe(503);
  const { avatar } = (await profiles.call("GET", "/api/users/me/", ada)).json().profile;
  expect((await open(avatar)).statusCode).toBe(200);
});

test.each([
  ["JPEG", () => makePhoto("jpeg")],
  ["PNG", () => makePhoto("png")],
  ["WebP", () => makePhoto("webp")],
  ["AVIF", makeAvif],
])("a %s is taken", async (_, make) => {
  expect((await profiles.putForm(ada, { avatar: toBlob(make()) })).statusCode).toBe(200);
});

test("of two uploads of a person at once one is taken, and the other may come in a moment", async () => {
  const stored = await countStored();
  const photo = toBlob(makePhoto("png"));
  const { answers } = await meetAtLock(
    profiles.pool,
    (db) => db.query("SELECT FROM account_user WHERE id = $1 FOR UPDATE", [ada.id]),
    Array.from({ length: 2 }, () => () => profiles.putForm(ada, { avatar: photo })),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 429]);
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  expect([refused?.json().code, refused?.headers["retry-after"]]).toEqual(["too_many_requests", "5"]);
  expect((await profiles.putForm(ada, { avatar: photo })).statusCode).toBe(200);
  expect(await countStored()).toBe(stored + 1);
});

test("of a photo with a page and an archive behind it only the photo stays", async () => {
  const hidden = Buffer.concat([
    makePhoto("jpeg"),
    Buffer.from("<html><script>alert(1)</script></html>PK\u0003\u0004"),
  ]);
  const { avatar } = (await profiles.putForm(ada, { avatar: toBlob(hidden) })).json();
  const { rawPayload } = await open(avatar);
  expect(rawPayload.includes("script")).toBe(false);
  expect(rawPayload.includes("PK")).toBe(false);
});

test.each<[string, () => Uint8Array, number, string]>([
  [
    "an SVG with a script",
    () => Buffer.from(`${SVG}`.replace("<rect", "<script>alert(1)</script><rect")),
    415,
    "unsupported_file",
  ],
  ["a GIF that is JavaScript too", () => Buffer.from("GIF89a=1;alert(1)//"), 415, "unsupported_file"],
  ["a page", () => Buffer.from("<!doctype html><title>x</title>"), 415, "unsupported_file"],
  ["a PDF", () => Buffer.from("%PDF-1.7\n"), 415, "unsupported_file"],
  ["nothing at all", () => Buffer.alloc(0), 415, "unsupported_file"],
  ["a PNG of 100 megapixels", () => makePngBomb(10_000), 400, "picture_too_many_pixels"],
  ["a PNG of 900 megapixels", () => makePngBomb(30_000), 400, "picture_too_many_pixels"],
  ["a JPEG that breaks off", () => makePhoto("jpeg").subarray(0, -100), 400, "picture_unreadable"],
  ["a PNG that breaks off", () => makePhoto("png").subarray(0, -100), 400, "picture_unreadable"],
  ["a PNG of noise", () => makePhoto("png").fill(7, 60), 400, "picture_unreadable"],
  [
    "more than 8 MB",
    () => Buffer.concat([makePhoto("jpeg"), Buffer.alloc(8 * 1024 * 1024)]),
    413,
    "body_too_large",
  ],
])("%s is refused with a clear text, and nothing of the form is saved", async (_, make, status, code) => {
  const stored = await countStored();
  const answer = await profiles.putForm(ada, { bio: "not yet", avatar: toBlob(make()) });
  expect([answer.statusCode, ...readFaults(answer)]).toEqual([status, `avatar ${code}`]);
  const [fault] = answer.json().errors;
  if (code === "unsupported_file") expect(fault.message).toContain("JPEG, PNG, WebP, AVIF");
  if (code === "body_too_large") expect(answer.json().message).toContain("8 MB");
  if (code === "picture_too_many_pixels") expect(fault.message).toContain("40 million");
  expect((await profiles.call("GET", "/api/users/profile/", ada)).json()).toMatchObject({
    bio: "",
    avatar: null,
  });
  expect(await countStored()).toBe(stored);
  expect(await profiles.takeAudit()).toEqual([]);
});

test("a good picture beside a bad one isn't kept, and faults of both kinds are reported together", async () => {
  const stored = await countStored();
  const good = toBlob(makePhoto("png"));
  const answer = await profiles.putForm(ada, { avatar: good, cover: new Blob(["no picture"]) });
  expect(readFaults(answer)).toEqual(["cover unsupported_file"]);
  expect(await countStored()).toBe(stored);
  const large = toBlob(Buffer.alloc(8 * 1024 * 1024 + 1));
  const mixed = await profiles.putForm(ada, { avatar: large, cover: large, username: "a b", nothing: "x" });
  expect(mixed.statusCode).toBe(400);
  expect(readFaults(mixed)).toEqual([
    "avatar body_too_large",
    "cover body_too_large",
    "nothing unknown_field",
    "username username_invalid",
  ]);
});

test("after 20 pictures in an hour the next waits", async () => {
  const photo = toBlob(makePhoto("png", 20, 20));
  for (let upload = 0; upload < 20; upload++)
    expect((await profiles.putForm(ada, { avatar: photo })).statusCode).toBe(200);
  const answer = await profiles.putForm(ada, { avatar: photo });
  expect([answer.statusCode, answer.json().code]).toEqual([429, "too_many_requests"]);
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(3500);
  expect((await profiles.putForm(ada, { bio: "goes on" })).statusCode).toBe(200);
});
