import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { until } from "#test/until.ts";
import { makeTestFolder } from "./embedded/test-folder.ts";
import { isConnectedSince, joinSite, requireSameFolder, type SiteMembership } from "./one-site.ts";

let database: TestDatabase;
let own: Awaited<ReturnType<typeof makeTestFolder>>;
let other: Awaited<ReturnType<typeof makeTestFolder>>;
let members: SiteMembership[];
const log = { warn: () => undefined };
beforeEach(async () => {
  database = await createTestDatabase({ isEmpty: true });
  [own, other] = [await makeTestFolder(), await makeTestFolder()];
  members = [];
});
afterEach(async () => {
  for (const member of members) await member.leave();
  await database.close();
  await own.remove();
  await other.remove();
});

async function enter(folder: string): Promise<SiteMembership> {
  const member = await joinSite(database.connection, folder, log);
  members.push(member);
  return member;
}

test("a second process with another data folder is refused, in words, for as long as the first one lives", async () => {
  const first = await enter(own.folder);
  await expect(enter(other.folder)).rejects.toMatchObject({
    name: "DatabaseStartError",
    message: expect.stringMatching(
      new RegExp(
        `another Foyer uses this database .* isn't ${other.folder}[^]*FOYER_DATA_DIR[^]*DATABASE_URL`,
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
  await expect(requireSameFolder(database.connection, other.folder)).rejects.toMatchObject({
    name: "DatabaseStartError",
  });
  await requireSameFolder(database.connection, own.folder);
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

test("another database of the same server is another site", async () => {
  await enter(own.folder);
  const second = await createTestDatabase({ isEmpty: true });
  const member = await joinSite(second.connection, other.folder, log);
  await member.leave();
  await second.close();
});
