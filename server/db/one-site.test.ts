import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { until } from "#test/until.ts";
import { makeTestFolder } from "./embedded/test-folder.ts";
import {
  holdGate,
  isConnectedSince,
  joinSite,
  requireSameSite,
  type SiteMembership,
  STANDSTILL_NAME,
} from "./one-site.ts";
import type { SharedBy } from "./site-processes.ts";

let database: TestDatabase;
let own: Awaited<ReturnType<typeof makeTestFolder>>;
let other: Awaited<ReturnType<typeof makeTestFolder>>;
let members: SiteMembership[];
let warnings: string[];
const log = { warn: (_: object, message: string) => void warnings.push(message) };
beforeEach(async () => {
  database = await createTestDatabase({ isEmpty: true });
  [own, other] = [await makeTestFolder(), await makeTestFolder()];
  members = [];
  warnings = [];
});
afterEach(async () => {
  for (const member of members) await member.leave();
  await database.close();
  await own.remove();
  await other.remove();
});

async function enter(dataDir: string, shared: Omit<SharedBy, "dataDir"> = {}): Promise<SiteMembership> {
  const member = await joinSite(database.connection, { dataDir, ...shared }, log);
  members.push(member);
  return member;
}

test("a second process with another data folder is refused, in words, for as long as the first one lives", async () => {
  const first = await enter(own.folder);
  await expect(enter(other.folder)).rejects.toMatchObject({
    name: "DatabaseStartError",
    message: expect.stringMatching(
      new RegExp(
        `another Foyer uses this database .* isn't ${other.folder}[^]*KEYS_SECRET[^]*FOYER_DATA_DIR[^]*DATABASE_URL`,
      ),
    ),
  });
  await first.leave();
  await enter(other.folder);
});

test("a process that is connected since before a moment is seen", async () => {
  const { rows } = await database.pool.query<{ at: string }>("SELECT now()::text AS at");
  const before = new Date(rows[0]?.at ?? "");
  const client = await database.pool.connect();
  try {
    expect(await isConnectedSince(client, before)).toBe(false);
    await enter(own.folder);
    expect(await isConnectedSince(client, before)).toBe(false);
    expect(await isConnectedSince(client, new Date(Date.now() + 3_600_000))).toBe(true);
  } finally {
    client.release();
  }
});

test("so is a command; one with the site's own folder is not", async () => {
  await enter(own.folder);
  await expect(requireSameSite(database.connection, { dataDir: other.folder })).rejects.toMatchObject({
    name: "DatabaseStartError",
  });
  await requireSameSite(database.connection, { dataDir: own.folder });
});

test("two processes with one data folder run side by side", async () => {
  await enter(own.folder);
  const second = await enter(own.folder);
  expect(await readdir(join(own.folder, "running"))).toHaveLength(2);
  await second.leave();
  expect(await readdir(join(own.folder, "running"))).toHaveLength(1);
});

test("of two that start at once with folders of their own one is refused", async () => {
  const outcomes = await Promise.allSettled([enter(own.folder), enter(other.folder)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a process that was killed stands in nobody's way, and its file goes with the next start", async () => {
  await enter(own.folder);
  const [name = ""] = await readdir(join(own.folder, "running"));
  await database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'foyer site'",
  );
  await writeFile(join(own.folder, "running", "7"), "");
  await enter(own.folder);
  expect(await readdir(join(own.folder, "running"))).not.toContain("7");
  // The first one, which wasn't killed after all, comes back by itself.
  await until(async () => (await readdir(join(own.folder, "running"))).includes(name));
});

describe("with one KEYS_SECRET", () => {
  const KEYS = "0123456789abcdef";
  const FILES = { what: "files", effect: "missing", setting: "S3_URL", isByFolder: true };
  const LIVE = { what: "sockets", effect: "apart", setting: "REDIS_URL", isByFolder: false };
  const all = { keys: KEYS, unshared: [FILES, LIVE] };

  test("a second process with another data folder is let in, and told by name what isn't shared", async () => {
    const first = await enter(own.folder, all);
    expect(warnings).toEqual([]);
    expect(await first.listUnshared()).toEqual([]);
    const second = await enter(other.folder, all);
    expect(warnings).toEqual([
      expect.stringMatching(
        /another Foyer uses this database .*\n {2}- files \(missing\): S3_URL\n {2}- sockets \(apart\): REDIS_URL$/,
      ),
    ]);
    for (const member of [first, second]) expect(await member.listUnshared()).toEqual([FILES, LIVE]);
    await second.leave();
    expect(await first.listUnshared()).toEqual([]);
  });

  test("nothing is said where all is shared, and of files nothing with one folder", async () => {
    await enter(own.folder, { keys: KEYS });
    await enter(other.folder, { keys: KEYS });
    expect(warnings).toEqual([]);
    for (const member of members.splice(0)) await member.leave();
    await enter(own.folder, all);
    const second = await enter(own.folder, all);
    expect(await second.listUnshared()).toEqual([LIVE]);
    expect(warnings).toEqual([expect.not.stringContaining("S3_URL")]);
  });

  test.each([
    ["another secret", "fedcba9876543210", "its KEYS_SECRET isn't this one's"],
    ["no secret", undefined, "its KEYS_SECRET isn't this one's"],
  ])("a process with %s is refused, also with the same folder", async (_, keys, words) => {
    await enter(own.folder, all);
    for (const { folder } of [own, other])
      await expect(enter(folder, { keys })).rejects.toMatchObject({
        name: "DatabaseStartError",
        message: expect.stringContaining(words),
      });
    await expect(requireSameSite(database.connection, { dataDir: own.folder, keys })).rejects.toThrow(words);
  });

  test("beside a process without one, which has its keys in the folder, it is refused too", async () => {
    await enter(own.folder);
    await expect(enter(own.folder, all)).rejects.toThrow("and has no KEYS_SECRET");
    await expect(enter(other.folder, all)).rejects.toThrow("and has no KEYS_SECRET");
  });

  test("a command of a machine that has the secret, and no more, is let in", async () => {
    await enter(own.folder, all);
    await requireSameSite(database.connection, { dataDir: other.folder, keys: KEYS });
  });
});

describe("while a command wants the site to stand still", () => {
  const WORDS = /A restore, repair or move-files --remove runs on this database since .* when it has ended/;
  const enterSoon = () => joinSite(database.connection, { dataDir: own.folder }, log, 100);

  test("no process and no second such command comes in, and each says why", async () => {
    const standstill = await holdGate(database.connection);
    await expect(enterSoon()).rejects.toMatchObject({
      name: "DatabaseStartError",
      message: expect.stringMatching(WORDS),
    });
    await expect(holdGate(database.connection, 100)).rejects.toThrow(WORDS);
    await standstill.end();
    await enter(own.folder);
    expect(standstill.lost.aborted).toBe(false);
  });

  test("it learns that its connection broke", async () => {
    const standstill = await holdGate(database.connection);
    await database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()",
      [STANDSTILL_NAME],
    );
    await until(() => standstill.lost.aborted);
    expect(standstill.lost.reason).toMatchObject({ message: expect.stringContaining("connection broke") });
    await enter(own.folder);
    await standstill.end();
  });

  test("a process that stands still at its start is told of as what it is", async () => {
    const client = await database.pool.connect();
    try {
      await client.query("SELECT pg_advisory_lock(4701931)");
      await expect(enterSoon()).rejects.toThrow(/Another Foyer, which starts .* holds up all others/);
    } finally {
      client.release(true);
    }
  });
});

test("another database of the same server is another site", async () => {
  await enter(own.folder);
  const second = await createTestDatabase({ isEmpty: true });
  const member = await joinSite(second.connection, { dataDir: other.folder }, log);
  await member.leave();
  await second.close();
});
