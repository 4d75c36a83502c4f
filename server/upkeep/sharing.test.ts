import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createClient } from "@redis/client";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { hasRedis, openRedisServer, type RedisServer, readUserRights } from "#test/redis-server.ts";
import { toChannel } from "../cluster/carrier.ts";
import { openNotifyCarrier } from "../cluster/notify-carrier.ts";
import { toSite } from "../cluster/open-cluster.ts";
import { makeTestFolder } from "../db/embedded/test-folder.ts";
import { openKeyPlace } from "../db/keys/open-keys.ts";
import { joinSite, type SiteMembership } from "../db/one-site.ts";
import { toClientConfig } from "../db/pool.ts";
import { readDatabaseName } from "../db/site-processes.ts";
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

/** What the bucket with the files says. */
let bucket: Parameters<typeof examineSharing>[1];
afterEach(() => {
  bucket = undefined;
});

const start = async (settings: SharingConfig) =>
  void members.push(await joinSite(database.connection, toSharedBy(settings), log));
/** The lines of a setting. */
async function look(title: string, settings: Partial<SharingConfig> = {}): Promise<string> {
  const { lines } = await examineSharing({ ...config, ...settings }, bucket);
  const at = lines.findIndex((line) => line.slice(2).startsWith(title));
  return lines
    .slice(at, lines[at + 1]?.includes("→") ? at + 2 : at + 1)
    .map((line) => line.replaceAll(/ +/g, " ").trim())
    .join(" ");
}

test("without any of the settings it says what is one process's, and that nothing is wrong", async () => {
  const { lines, isWell } = await examineSharing({ dataDir: folder.folder }, undefined);
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
  expect((await examineSharing({ ...config, ...gone }, undefined)).isWell).toBe(false);
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
  const shared = { ...settings, fileStore: {}, redisUrl: "redis://127.0.0.1:1" };
  expect(await look("Processes", shared)).toBe(
    "· Processes 2 run. Whether they reach each other isn't known: see REDIS_URL.",
  );
});

test("a copy of the audit log in a file is one machine's", async () => {
  expect(await look("AUDIT_SINK")).toBe("· AUDIT_SINK Not set.");
  expect(await look("AUDIT_SINK", { auditSink: { kind: "file" } })).toMatch(
    /^· AUDIT_SINK A file: one process/,
  );
  expect(await look("AUDIT_SINK", { auditSink: { kind: "udp" } })).toBe("✓ AUDIT_SINK Set: a server.");
});

test("backups and mails without a common place are a machine's, whatever else is shared", async () => {
  const time = { hour: 3, minute: 30 };
  const shared = { keysSecret: SECRET, fileStore: {}, redisUrl: "redis://there" };
  expect(await look("BACKUP_DIR", { ...shared, dailyBackup: { time } })).toMatch(
    /^· BACKUP_DIR Not set: .*data folder\. .*each has those that it made alone\. BACKUP_TO would/,
  );
  const remote = { title: "sftp://host/path" };
  expect(await look("BACKUP_DIR", { ...shared, dailyBackup: { time, dir: "/mnt/all", remote } })).toMatch(
    /^· BACKUP_DIR Set: \/mnt\/all\. .* sftp:\/\/host\/path \(BACKUP_TO\) has them all\.$/,
  );
  expect(await look("BACKUP_DIR", { dailyBackup: {} })).toMatch(/makes no backups by itself/);
  expect(await look("SMTP_URL", shared)).toMatch(/^· SMTP_URL Not set: mails are files in the data folder/);
  expect(await look("SMTP_URL", { ...shared, smtpUrl: "smtp://host" })).toBe("✓ SMTP_URL Set: a server.");
});

test("a bucket and a Redis that are set are tried", async () => {
  bucket = { title: "s3://host/site", check: async () => undefined };
  expect(await look("S3_URL")).toBe("✓ S3_URL Set, and files can be written: s3://host/site.");
  bucket = { title: "s3://host/site", check: () => Promise.reject(new Error("There is no such bucket.")) };
  expect(await look("S3_URL")).toMatch(
    /^✗ S3_URL Set, and files can't be written: There is no such bucket\..*→/,
  );
  expect(await look("REDIS_URL", { redisUrl: "redis://127.0.0.1:1" })).toMatch(
    /^✗ REDIS_URL Set, and can't be reached: .*→ Correct REDIS_URL/,
  );
});

describe("with a Redis", () => {
  const withRedis = hasRedis ? test : test.skip;
  let redis: RedisServer;
  const clients: { destroy(): void }[] = [];
  beforeEach(async () => {
    if (hasRedis) redis = await openRedisServer();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await redis?.close();
  });

  async function connect() {
    const client = createClient({ url: redis.url });
    clients.push(client);
    return client.connect();
  }

  withRedis("it is named, without its password", async () => {
    expect(await look("REDIS_URL", { redisUrl: redis.url })).toMatch(
      /^✓ REDIS_URL Set, and reachable: redis:\/\/127\.0\.0\.1:\d+, version \d/,
    );
  });

  withRedis("processes that listen elsewhere are told of, however their settings look", async () => {
    const settings = { ...config, redisUrl: redis.url };
    for (let count = 0; count < 2; count += 1) await start(settings);
    const channel = toChannel(toSite(await readDatabaseName(database.pool)), "all");
    await (await connect()).subscribe(channel, () => undefined);
    expect(await look("Processes", settings)).toMatch(
      /^✗ Processes 2 run, and 1 of them can be heard at this REDIS_URL: .* → Set REDIS_URL of all/,
    );
    await (await connect()).subscribe(channel, () => undefined);
    expect(await look("Processes", settings)).toBe("✓ Processes 2 run, and share all that they have to.");
  });

  withRedis(
    "a user as the README makes it can do all; one with less reads which command is refused",
    async () => {
      const admin = await connect();
      const rights = await readUserRights();
      await admin.sendCommand(["ACL", "SETUSER", "foyer", ...rights]);
      const redisUrl = redis.url.replace("//", "//foyer:secret@");
      expect(await look("REDIS_URL", { redisUrl })).toMatch(/^✓ REDIS_URL Set, and reachable/);
      for (const [right, command] of [
        ["-publish", "PUBLISH"],
        ["-eval", "EVAL"],
        ["-incrby", "INCRBY"],
        ["-multi", "MULTI and EXEC"],
        ["-subscribe", "SUBSCRIBE"],
        ["resetchannels", "PUBLISH"],
        ["resetkeys", "SET"],
      ] as const) {
        await admin.sendCommand(["ACL", "SETUSER", "foyer", right]);
        expect(await look("REDIS_URL", { redisUrl })).toMatch(
          new RegExp(`^✗ REDIS_URL Set, and reachable, and it refuses ${command}: .*→ Give its user`),
        );
        await admin.sendCommand(["ACL", "SETUSER", "foyer", ...rights]);
      }
    },
  );
});

test("processes that reach each other by the database need no Redis", async () => {
  await start({ ...config, processCount: 2 });
  await start({ ...config, processCount: 2 });
  expect(await look("Processes")).toMatch(/^✗ Processes 2 run\. Not shared: .*sockets.*→ Set REDIS_URL\.$/);
  const connection = toClientConfig(database.connection, "test");
  const carriers = [
    await openNotifyCarrier({ connection, log: { ...log, info: () => undefined } }),
    await openNotifyCarrier({ connection, log: { ...log, info: () => undefined } }),
  ];
  expect(await look("Processes")).toBe("✓ Processes 2 run, and share all that they have to.");
  expect(await look("REDIS_URL")).toBe(
    "· REDIS_URL Not set: the 2 processes that run reach each other by the database.",
  );
  await start(config);
  expect(await look("Processes")).toMatch(/^✗ Processes 3 run\. .*sockets/);
  for (const carrier of carriers) await carrier.close();
});
