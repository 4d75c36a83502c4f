import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import * as tables from "#server/tables.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { makeTestFolder } from "../embedded/test-folder.ts";
import { joinSite } from "../one-site.ts";
import { openDatabase, openForCommand } from "../open.ts";
import { selectTables } from "../verify.ts";
import { openKeyPlace, readKeyFiles, takeKeysOut } from "./open-keys.ts";

const SECRET = "a-secret-of-at-least-32-characters";
const NAME = "access-token.json";

let database: TestDatabase;
let own: Awaited<ReturnType<typeof makeTestFolder>>;
let other: Awaited<ReturnType<typeof makeTestFolder>>;
let warnings: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  [own, other] = [await makeTestFolder(), await makeTestFolder()];
  warnings = [];
});
afterEach(async () => {
  await database.close();
  await own.remove();
  await other.remove();
});

const log = { warn: (_: object, message: string) => void warnings.push(message) };
const open = (dataDir: string, keysSecret?: string) =>
  openKeyPlace(database.pool, { dataDir, keysSecret }, log);

async function putFile(folder: string, text: string, name = NAME): Promise<void> {
  await mkdir(join(folder, "keys"), { recursive: true });
  await writeFile(join(folder, "keys", name), text);
}
const listFiles = (folder: string) => readdir(join(folder, "keys")).catch(() => []);

test("without KEYS_SECRET keys are files of the data folder, and nothing is in the database", async () => {
  const place = await open(own.folder);
  await place.create(NAME, "first");
  await place.create(NAME, "second");
  expect(await place.read(NAME)).toEqual({ text: "first" });
  expect(await readKeyFiles(database.pool, undefined)).toEqual(new Map());
  expect(place.isShared).toBe(false);
});

test("the first start with it moves the folder's keys into the database, as they are", async () => {
  await putFile(own.folder, "signing keys");
  await putFile(own.folder, "key of the log\n", "audit-chain.key");
  const place = await open(own.folder, SECRET);
  expect(await listFiles(own.folder)).toEqual([]);
  expect((await place.read(NAME))?.text).toBe("signing keys");
  // Another process, whose folder has none.
  expect((await (await open(other.folder, SECRET)).read("audit-chain.key"))?.text).toBe("key of the log\n");
  expect(await listFiles(other.folder)).toEqual([]);
  expect(warnings).toEqual([]);
});

test("what stands in the database is of no use without the secret, nor under another name", async () => {
  await putFile(own.folder, "signing keys");
  await open(own.folder, SECRET);
  const { rows } = await database.pool.query("SELECT sealed FROM site_key");
  expect(JSON.stringify(rows)).not.toContain(Buffer.from("signing keys").toString("base64url"));
  await database.pool.query("UPDATE site_key SET name = 'audit-chain.key'");
  await expect(open(own.folder, SECRET)).rejects.toThrow("KEYS_SECRET isn't the one");
});

test("of two processes that start at once with keys of their own one wins, and the other one is told what it doesn't use", async () => {
  await putFile(own.folder, "ours");
  await putFile(other.folder, "theirs");
  const places = await Promise.all([open(own.folder, SECRET), open(other.folder, SECRET)]);
  const texts = await Promise.all(places.map(async (place) => (await place.read(NAME))?.text));
  expect(new Set(texts).size).toBe(1);
  const loser = texts[0] === "ours" ? other.folder : own.folder;
  expect(await listFiles(loser)).toEqual([NAME]);
  expect(warnings).toEqual([expect.stringContaining(`${join(loser, "keys", NAME)} is not used`)]);
});

test("of ten that make the first key at once one wins", async () => {
  const places = await Promise.all(Array.from({ length: 10 }, () => open(own.folder, SECRET)));
  await Promise.all(places.map((place, index) => place.create(NAME, `key ${index}`)));
  const texts = await Promise.all(places.map(async (place) => (await place.read(NAME))?.text));
  expect(new Set(texts).size).toBe(1);
});

test("a start that was killed between the database and the folder is ended by the next one", async () => {
  await putFile(own.folder, "signing keys");
  await open(own.folder, SECRET);
  await putFile(own.folder, "signing keys");
  await open(own.folder, SECRET);
  expect(await listFiles(own.folder)).toEqual([]);
  expect(warnings).toEqual([]);
});

describe("refused", () => {
  beforeEach(async () => {
    await putFile(own.folder, "signing keys");
    await open(own.folder, SECRET);
  });

  test("with another secret, in words, and nothing is lost", async () => {
    await putFile(other.folder, "of the other one");
    await expect(open(other.folder, `${SECRET}x`)).rejects.toMatchObject({
      name: "DatabaseStartError",
      message: expect.stringMatching(/KEYS_SECRET isn't the one .* Nothing was changed/),
    });
    expect(await listFiles(other.folder)).toEqual([NAME]);
    expect((await (await open(own.folder, SECRET)).read(NAME))?.text).toBe("signing keys");
  });

  test("without the secret: no new key is made in the folder", async () => {
    await expect(open(own.folder)).rejects.toMatchObject({
      name: "DatabaseStartError",
      message: expect.stringMatching(/KEYS_SECRET, which isn't set.*keys-to-folder/),
    });
    expect(await listFiles(own.folder)).toEqual([]);
  });
});

test("a process whose folder has no keys makes none for a site that has some: the one with them has to start first", async () => {
  await database.pool.query(
    "INSERT INTO account_user (username, email, password_hash, access_level_id) SELECT 'a', 'a@example.org', 'x', min(id) FROM access_level",
  );
  await putFile(own.folder, "signing keys");
  await expect(open(other.folder, SECRET)).rejects.toMatchObject({
    name: "DatabaseStartError",
    message: expect.stringContaining(`neither in its database nor in ${other.folder}`),
  });
  await open(own.folder, SECRET);
  expect((await (await open(other.folder, SECRET)).read(NAME))?.text).toBe("signing keys");
});

describe("the way back", () => {
  beforeEach(async () => {
    await putFile(own.folder, "signing keys");
    await open(own.folder, SECRET);
  });
  const takeOut = () =>
    takeKeysOut(database.pool, { dataDir: other.folder, keysSecret: SECRET, isBeside: false });

  test("writes them into the folder, and a start without KEYS_SECRET reads them there", async () => {
    expect(await takeOut()).toEqual([NAME]);
    expect((await (await open(other.folder)).read(NAME))?.text).toBe("signing keys");
  });

  test("is refused while a process runs, which could come back without them", async () => {
    const member = await joinSite(database.connection, { dataDir: own.folder, keys: "x" }, log);
    await expect(takeOut()).rejects.toThrow("Stop every process");
    await member.leave();
    expect((await (await open(own.folder, SECRET)).read(NAME))?.text).toBe("signing keys");
  });

  test("is refused beside a process with its built-in server, which holds no lock for others", async () => {
    const options = {
      ...{ dataDir: other.folder, databaseUrl: undefined, databaseUser: undefined },
      tables: selectTables(tables),
      log: { ...log, debug: () => {} },
      onProgress: () => {},
    };
    await putFile(other.folder, "signing keys");
    const settings = { dataDir: other.folder, keysSecret: SECRET };
    const site = await openDatabase(options);
    const place = await openKeyPlace(site.pool, settings, log);
    const beside = await openForCommand(options);
    await expect(takeKeysOut(beside.pool, { ...settings, ...beside })).rejects.toThrow("Stop every process");
    await beside.close();
    expect((await place.read(NAME))?.text).toBe("signing keys");
    await site.close();
    const alone = await openForCommand(options);
    expect(await takeKeysOut(alone.pool, { ...settings, ...alone })).toEqual([NAME]);
    await alone.close();
  });

  test("writes over no other keys, and leaves the database as it is then", async () => {
    await putFile(other.folder, "of the other one");
    await expect(takeOut()).rejects.toThrow("holds other keys than the database");
    expect(await readFile(join(other.folder, "keys", NAME), "utf8")).toBe("of the other one");
    expect((await (await open(own.folder, SECRET)).read(NAME))?.text).toBe("signing keys");
  });
});
