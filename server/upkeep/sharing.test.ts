import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import type { S3Address } from "../base/s3.ts";
import { makeTestFolder } from "../db/embedded/test-folder.ts";
import { openKeyPlace } from "../db/keys/open-keys.ts";
import { joinSite, type SiteMembership } from "../db/one-site.ts";
import { examineSharing, type SharingConfig, toSharedBy } from "./sharing.ts";

const SECRET = "a-secret-of-at-least-32-characters";
const log = { warn: () => undefined };

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof makeTestFolder>>;
let other: Awaited<ReturnType<typeof makeTestFolder>>;
let members: SiteMembership[];
let config: SharingConfig;
beforeEach(async () => {
  database = await createTestDatabase();
  [folder, other] = [await makeTestFolder(), await makeTestFolder()];
  members = [];
  const { host, port, user, database: name } = database.connection;
  const databaseUrl = `postgresql://${user}@${encodeURIComponent(host)}:${port ?? 5432}/${name}`;
  config = { dataDir: folder.folder, databaseUrl };
});
afterEach(async () => {
  for (const member of members) await member.leave();
  await database.close();
  await folder.remove();
  await other.remove();
});

const start = async (settings: SharingConfig) =>
  void members.push(await joinSite(database.connection, toSharedBy(settings), log));
/** The lines of a setting. */
async function look(title: string, settings: Partial<SharingConfig> = {}): Promise<string> {
  const { lines } = await examineSharing({ ...config, ...settings });
  const at = lines.findIndex((line) => line.slice(2).startsWith(title));
  return lines
    .slice(at, lines[at + 1]?.includes("→") ? at + 2 : at + 1)
    .map((line) => line.replaceAll(/ +/g, " ").trim())
    .join(" ");
}

test("without any of the settings it says what is one process's, and that nothing is wrong", async () => {
  const { lines, isWell } = await examineSharing({ dataDir: folder.folder });
  expect(isWell).toBe(true);
  const text = lines.join("\n");
  expect(text).toMatch(/· DATABASE_URL +Not set: the database is the built-in one/);
  expect(text).toMatch(/· KEYS_SECRET +Not set: keys are in the data folder/);
  expect(text).toMatch(/· REDIS_URL +Not set: .*presence.*voice rooms.*limits/);
  expect(text).toMatch(/· S3_URL +Not set: uploaded files/);
});

test("a database that is there is named, one that isn't is what needs mending", async () => {
  expect(await look("DATABASE_URL")).toMatch(/^✓ DATABASE_URL Set, and reachable: PostgreSQL \d/);
  const gone = { databaseUrl: "postgresql://nobody@127.0.0.1:1/foyer" };
  expect(await look("DATABASE_URL", gone)).toMatch(
    /^✗ DATABASE_URL Set, and can't be reached: .*ECONNREFUSED.*→ Correct/,
  );
  expect((await examineSharing({ ...config, ...gone })).isWell).toBe(false);
});

test("of KEYS_SECRET it says whether the keys open with it", async () => {
  expect(await look("KEYS_SECRET", { keysSecret: SECRET })).toContain("the next start moves the keys");
  const place = await openKeyPlace(database.pool, { dataDir: folder.folder, keysSecret: SECRET }, log);
  await place.create("access-token.json", "keys");
  expect(await look("KEYS_SECRET", { keysSecret: SECRET })).toBe(
    "✓ KEYS_SECRET Set: the keys in the database open with it.",
  );
  expect(await look("KEYS_SECRET", { keysSecret: `${SECRET}x` })).toMatch(/^✗ .*isn't the one that the keys/);
  expect(await look("KEYS_SECRET")).toMatch(/^✗ KEYS_SECRET Not set, and the keys are in the database/);
});

test("it counts the processes that run, and names what they don't share with its setting", async () => {
  expect(await look("Processes")).toBe("· Processes None runs.");
  const settings = { ...config, keysSecret: SECRET };
  await start(settings);
  expect(await look("Processes", settings)).toBe("✓ Processes One runs.");
  await start({ ...settings, dataDir: other.folder });
  expect(await look("Processes", settings)).toMatch(
    /^✗ Processes 2 run\. Not shared: uploaded files.*sockets.*→ Set S3_URL and REDIS_URL\.$/,
  );
  const fileStore = { address: { title: "there" } as S3Address, isRedirected: false }; // not asked here
  const shared = { ...settings, fileStore, redisUrl: "redis://there" };
  expect(await look("Processes", shared)).toBe("✓ Processes 2 run, and share all that they have to.");
});
