import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { integer, pgTable } from "drizzle-orm/pg-core";
import { openPromise } from "yauzl";
import { readMark, writeMark } from "#server/audit/chain/mark.ts";
import { createSealer } from "#server/audit/chain/seal.ts";
import { loadChainKey } from "#server/audit/chain/signature.ts";
import { verifyChain } from "#server/audit/chain/verify.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { applyMigrationRange, applyMigrations, readMigrations } from "#server/db/migrate.ts";
import { endHold } from "#server/mail/alarms/alarms.ts";
import { leaseMessages } from "#server/mail/outbox/lease-store.ts";
import { selectOutboxState } from "#server/mail/outbox/store.ts";
import { asLogOwner, createTestDatabase, type TestDatabase } from "#test/database.ts";
import { openDebianServer } from "#test/debian-server.ts";
import {
  hashTables,
  makeSite,
  NOW,
  openPool,
  readFolder,
  toRestoreOptions,
  UPLOAD,
  writeDataFile,
} from "./fixture.ts";
import { BackupError } from "./manifest.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

let site: Awaited<ReturnType<typeof makeSite>>;
let file: string;
beforeAll(async () => {
  site = await makeSite();
  file = (await site.backUp()).file;
});
afterAll(() => site.close());

let target: TestDatabase;
let folder: Awaited<ReturnType<typeof makeTestFolder>>;
beforeEach(async () => {
  target = await createTestDatabase();
  folder = await makeTestFolder();
});
afterEach(async () => {
  await target.close();
  await folder.remove();
});

const toOptions = (from = file) => toRestoreOptions(from, folder.folder, target.connection);

/** Restores what can't be restored; gives the message. */
async function fail(from = file): Promise<string> {
  const failed = await restoreBackup(toOptions(from)).catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: "BackupError" });
  return (failed as Error).message;
}

/** Where the middle byte of an entry's content is in the archive. */
async function findMiddle(archive: string, name: string): Promise<number> {
  const zip = await openPromise(archive, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== name) continue;
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      return fileDataStart + Math.floor(entry.compressedSize / 2);
    }
  } finally {
    zip.close();
  }
  throw new Error(`no entry ${name}`);
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(join(folder.folder, path))).mode & 0o777).toString(8);
}

describe("a restored Foyer", () => {
  test("holds the same rows, and gives the next numbers", async () => {
    const report = await restoreBackup(toOptions());
    expect(report.notes).toEqual([]);
    expect(await hashTables(target.pool)).toEqual(await hashTables(site.pool));
    const insert = `INSERT INTO account_user (username, email, password_hash, access_level_id)
      SELECT 'next', 'next@example.org', 'hash', id FROM access_level WHERE level = 1 RETURNING id`;
    // 40 was given once and must not be given again: the log names it.
    expect((await target.pool.query(insert)).rows).toEqual([{ id: 41 }]);
  });

  test("has its files and keys, closed to others, and no cache", async () => {
    await restoreBackup(toOptions());
    const former = await readFolder(site.dataDir);
    const expected = Object.entries(former).filter(([path]) =>
      /^(files|people|mail|keys)\/.*[^t]$/.test(path),
    );
    expect(await readFolder(folder.folder)).toEqual(Object.fromEntries(expected));
    expect(expected.map(([path]) => path.split("/")[0])).toEqual(["files", "keys", "mail", "people"]);
    expect([await modeOf("keys"), await modeOf("keys/access-token.json")]).toEqual(["700", "600"]);
    expect([await modeOf("mail/20261120T120000Z-1.eml"), await modeOf(UPLOAD)]).toEqual(["600", "600"]);
  });

  test("has the partitions that it had, and rows that none was made for in the default one", async () => {
    await restoreBackup(toOptions());
    const count = (name: string) =>
      target.pool.query(`SELECT count(*)::int AS n FROM ${name} WHERE detail IS DISTINCT FROM 'restore'`);
    expect((await count("audit_entry_2026_09")).rows).toEqual([{ n: 144 }]);
    expect((await count("audit_entry_default")).rows).toEqual(
      (await site.pool.query("SELECT count(*)::int AS n FROM audit_entry_default")).rows,
    );
  });

  test("has a log that is as it was sealed, checked with the key that came with it", async () => {
    const key = await loadChainKey(site.dataDir);
    await createSealer({ pool: site.pool, key, now: () => new Date() }).seal();
    const sealed = (await site.backUp(join(site.dataDir, "sealed.zip"))).file;
    await asLogOwner(site.pool, "DELETE FROM audit_seal");
    await rm(join(site.dataDir, "keys", "audit-chain.key"));
    // The database that is replaced had come further.
    await writeMark(folder.folder, { id: "9", hash: "f".repeat(64) });
    await restoreBackup(toOptions(sealed));
    const report = await verifyChain(target.pool, await loadChainKey(folder.folder));
    // The restore's own entry waits for its seal.
    expect(report).toMatchObject({ seals: 1, entries: 802, unsealed: 1, faults: [] });
    expect(await readMark(folder.folder)).toEqual(report.newest);
    const { rows } = await target.pool.query(
      "SELECT change_message, changes FROM audit_entry WHERE detail = 'restore'",
    );
    const { id = "", hash = "" } = report.newest ?? {};
    expect(rows).toEqual([
      {
        change_message: NOW.toISOString(),
        changes: { newest_seal: { before: `9 ${"f".repeat(64)}`, after: `${id} ${hash}` } },
      },
    ]);
  });

  test("has its foreign keys back", async () => {
    await restoreBackup(toOptions());
    await expect(target.pool.query("UPDATE cv_certificate SET file = 'nothing.png'")).rejects.toMatchObject({
      code: "23503",
    });
  });

  test("keeps what its owner had added, without what only the owner knows", async () => {
    await site.pool.query(
      "CREATE TABLE mine (id integer PRIMARY KEY, note text); INSERT INTO mine VALUES (7, 'seven'); ALTER TABLE cv_link ADD note varchar(10)",
    );
    const other = join(site.dataDir, "with-mine.zip");
    await site.backUp(other);
    await site.pool.query("DROP TABLE mine; ALTER TABLE cv_link DROP note");
    const { notes } = await restoreBackup(toOptions(other));
    expect(notes).toEqual([
      expect.stringMatching(/^cv_link: note came back/),
      expect.stringMatching(/^mine is no table of Foyer's/),
    ]);
    expect((await target.pool.query("SELECT * FROM mine")).rows).toEqual([{ id: 7, note: "seven" }]);
  });

  test("keeps the lengths of its owner's columns", async () => {
    await site.pool.query(
      `CREATE TABLE lengths (code char(5), any_length bpchar, price numeric(8,2), tags varchar(10)[], seen timestamptz(3));
       INSERT INTO lengths VALUES ('ab', 'abc', 1.5, '{x}', '2026-11-20 12:00:00.123+00')`,
    );
    const other = join(site.dataDir, "lengths.zip");
    await site.backUp(other);
    const expected = (await site.pool.query("SELECT * FROM lengths")).rows;
    await site.pool.query("DROP TABLE lengths");
    await restoreBackup(toOptions(other));
    expect((await target.pool.query("SELECT * FROM lengths")).rows).toEqual(expected);
    const { rows } = await target.pool.query(
      "SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = 'lengths'::regclass AND attnum > 0 ORDER BY attnum",
    );
    expect(rows.map(({ type }) => type)).toEqual([
      "character(5)",
      "bpchar",
      "numeric(8,2)",
      "character varying(10)[]",
      "timestamp(3) with time zone",
    ]);
  });

  test("has text where its owner's types are not there, and was warned of it", async () => {
    await site.pool.query(
      "CREATE TYPE mood AS ENUM ('glad'); CREATE TABLE moods (now mood, past mood[]); INSERT INTO moods VALUES ('glad', '{glad}')",
    );
    const other = join(site.dataDir, "moods.zip");
    const { warnings } = await site.backUp(other);
    await site.pool.query("DROP TABLE moods; DROP TYPE mood");
    expect(warnings).toEqual([
      expect.stringMatching(/^moods\.now has the type mood, which no backup holds/),
      expect.stringMatching(/^moods\.past has the type mood\[\]/),
    ]);
    const { notes } = await restoreBackup(toOptions(other));
    expect(notes).toContain("moods.now came back as text, and was mood.");
    expect((await target.pool.query("SELECT * FROM moods")).rows).toEqual([{ now: "glad", past: "{glad}" }]);
  });

  test("reports each view that went with its tables, and how it is made again", async () => {
    await target.pool.query(
      "CREATE VIEW zeal AS SELECT username FROM account_user; CREATE MATERIALIZED VIEW again AS SELECT * FROM zeal; CREATE VIEW apart AS SELECT 1 AS one",
    );
    const { notes } = await restoreBackup(toOptions());
    expect(notes).toEqual([
      expect.stringMatching(/^The view zeal went .*\nCREATE VIEW zeal AS\n/),
      expect.stringMatching(/^The view again went .*\nCREATE MATERIALIZED VIEW again AS\n/),
    ]);
    for (const note of notes) await target.pool.query(note.slice(note.indexOf("\n")));
    expect((await target.pool.query("SELECT * FROM again")).rowCount).toBe(
      (await site.pool.query("SELECT FROM account_user")).rowCount,
    );
    expect((await target.pool.query("SELECT * FROM apart")).rowCount).toBe(1);
  });

  test("can be restored by a role that is no superuser", async () => {
    await restoreBackup(toRestoreOptions(file, folder.folder, target.connection));
    const { rows } = await target.pool.query("SELECT rolsuper FROM pg_roles WHERE rolname = current_user");
    expect(rows).toEqual([{ rolsuper: false }]);
    expect(await hashTables(target.pool)).toEqual(await hashTables(site.pool));
  });
});

describe("mail of a restored Foyer", () => {
  const insertMail = (
    pool: TestDatabase["pool"],
    token: string,
    kind: string,
    expiresAt: string | null = null,
  ) =>
    pool.query(
      `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, expires_at)
       VALUES ($1, $1, $1, $2, 'ada@example.org', 'ada@example.org', 'en', '{}', $3)`,
      [token, kind, expiresAt],
    );
  const lease = async () => {
    const now = new Date("2027-01-01T00:00:00Z");
    const request = { now, leaseUntil: now, limit: 9, inHand: [], addressSecrets: [Buffer.alloc(32)] };
    const leased = await leaseMessages(target.pool, request);
    return leased.map(({ token, status }) => [token, status]).sort();
  };
  let other: string;
  beforeEach(async () => {
    await insertMail(site.pool, "waited", "contact_message");
    other = join(site.dataDir, "with-mail.zip");
    await site.backUp(other);
    await site.pool.query("DELETE FROM mail_message");
    await restoreBackup(toOptions(other));
  });

  test("waits, what was in the backup and what comes, but for codes and tests", async () => {
    await insertMail(target.pool, "new", "contact_message");
    await insertMail(target.pool, "code", "verification_code");
    await insertMail(target.pool, "test", "test");
    expect(await lease()).toEqual([
      ["code", "sending"],
      ["new", "held"],
      ["test", "sending"],
    ]);
    expect(await selectOutboxState(target.pool, new Date())).toMatchObject({ restored: 2 });
    const { rows } = await target.pool.query(
      "SELECT token, expires_at FROM mail_message WHERE status = 'held' ORDER BY token",
    );
    expect(rows).toEqual([
      { token: "new", expires_at: null },
      { token: "waited", expires_at: null },
    ]);
  });

  test.each([
    ["release", "waited,sending"],
    ["discard", ""],
  ] as const)("is sent or given up by the owner's word: %s", async (way, expected) => {
    const now = new Date("2026-12-01T00:00:00Z");
    expect(await endHold(target.pool, { actor: SYSTEM_ACTOR, way, contentTypeId: null, now })).toBe(1);
    expect((await lease()).join(";")).toBe(expected);
    await insertMail(target.pool, "later", "contact_message");
    expect((await lease()).map(([token]) => token)).toContain("later");
  });
});

describe("a backup that can't be trusted is refused before anything is touched:", () => {
  let broken: string;
  let before: object;
  beforeEach(async () => {
    broken = join(folder.folder, "broken.zip");
    await copyFile(file, broken);
    before = [await hashTables(target.pool), []];
  });
  afterEach(async () => {
    const files = Object.keys(await readFolder(folder.folder)).filter((name) => name !== "broken.zip");
    expect([await hashTables(target.pool), files]).toEqual(before);
  });

  test("a truncated one", async () => {
    const { size } = await stat(broken);
    await truncate(broken, size - 100);
    expect(await fail(broken)).toMatch(/broken\.zip is damaged or no backup/);
  });

  test.each(["tables/audit_entry.tsv", `data/${UPLOAD}`, "data/keys/access-token.json", "manifest.json"])(
    "one with a changed byte in %s",
    async (name) => {
      const bytes = await readFile(broken);
      const at = await findMiddle(broken, name);
      bytes[at] = (bytes[at] ?? 0) ^ 0x01;
      await writeFile(broken, bytes);
      expect(await fail(broken)).toMatch(/broken\.zip is damaged|manifest is damaged/);
    },
  );

  test("one that is no zip", async () => {
    await writeFile(broken, "hello");
    expect(await fail(broken)).toMatch(/is damaged or no backup/);
  });

  test("one that isn't there", async () => {
    expect(await fail(join(folder.folder, "nowhere.zip"))).toMatch(/^There is no file/);
  });
});

describe("a target", () => {
  test("that holds an account is refused, and replaced with --replace after it was kept", async () => {
    await restoreBackup(toOptions());
    expect(await fail()).toMatch(/^The database holds data already\. With --replace/);
    await target.pool.query("DELETE FROM account_user WHERE username = 'person_3'");
    const kept: string[] = [];
    const keepFormer = async () => void kept.push("kept");
    await restoreBackup({ ...toOptions(), keepFormer });
    expect(kept).toEqual(["kept"]);
    expect(await hashTables(target.pool)).toEqual(await hashTables(site.pool));
  });

  test("whose folder holds files that the backup doesn't have gets them moved aside, and says so", async () => {
    const newer = `people/ee/${"ee56".repeat(8)}.webp`;
    await writeDataFile(folder.folder, newer, "somebody");
    const { notes } = await restoreBackup(toOptions());
    const kept = join(folder.folder, "before-restore-20261120T120000Z");
    expect(notes).toEqual([`1 file that is not in the backup, for instance ${newer}, went to ${kept}.`]);
    expect(await readFile(join(kept, newer), "utf8")).toBe("somebody");
    expect(existsSync(join(folder.folder, newer))).toBe(false);
    expect(existsSync(join(folder.folder, UPLOAD))).toBe(true);
  });

  test("that a running Foyer uses is refused", async () => {
    const other = openPool(target.connection);
    try {
      await other.query("SET application_name = 'foyer changes'");
      expect(await fail()).toMatch(/^A Foyer uses this database \(foyer changes\)/);
    } finally {
      await other.end();
    }
  });

  test.each(["files/ab/my thesis.pdf", "files/.htaccess"])(
    "is refused, also with --replace, while it has a file that no backup keeps: %s",
    async (path) => {
      await restoreBackup(toOptions());
      await writeDataFile(folder.folder, path, "mine");
      const options = { ...toOptions(), keepFormer: async () => undefined };
      await expect(restoreBackup(options)).rejects.toThrow(
        `${join(folder.folder, path)} is a link, or has a name that backups don't take. Move it away, then restore.`,
      );
      expect(await readFile(join(folder.folder, path), "utf8")).toBe("mine");
    },
  );

  test("is refused, also with --replace, while a link lies among its files", async () => {
    await writeDataFile(folder.folder, "files/ab/here.png", "");
    await symlink("/nowhere", join(folder.folder, "files/ab/link.png"));
    const options = { ...toOptions(), keepFormer: async () => undefined };
    await expect(restoreBackup(options)).rejects.toThrow(/link\.png is a link/);
  });

  test("without tables, as after DATABASE_URL was set, gets a newer file moved aside as well", async () => {
    await target.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA drizzle CASCADE");
    await writeDataFile(folder.folder, "mail/20261121T080000Z-2.eml", "newer");
    const { notes } = await restoreBackup(toOptions());
    expect(notes).toEqual([expect.stringContaining("mail/20261121T080000Z-2.eml, went to ")]);
  });

  test("whose files a killed restore was moving is refused, and keeps them", async () => {
    await writeDataFile(folder.folder, "restore.part/old/keys/access-token.json", "the only copy");
    expect(await fail()).toContain(`${join(folder.folder, "restore.part", "old")} holds keys`);
    expect(existsSync(join(folder.folder, "restore.part/old/keys/access-token.json"))).toBe(true);
  });

  test.each(["Checking", "Unpacking", "Loading", "  account_user", "Building"])(
    "stays as it was when the restore is stopped at: %s",
    async (step) => {
      await writeDataFile(folder.folder, "keys/access-token.json", "the former key");
      const before = [await hashTables(target.pool), await readFolder(folder.folder)];
      const controller = new AbortController();
      const onProgress = (line: string) => {
        if (line.startsWith(step)) controller.abort(new BackupError("Stopped."));
      };
      const stopped = restoreBackup({ ...toOptions(), onProgress, stop: controller.signal });
      await expect(stopped).rejects.toThrow("Stopped.");
      expect([await hashTables(target.pool), await readFolder(folder.folder)]).toEqual(before);
    },
  );

  test("stays as it was, rows and files, when the rows don't load", async () => {
    await writeDataFile(folder.folder, "keys/access-token.json", "the former key");
    const before = [await hashTables(target.pool), await readFolder(folder.folder)];
    const options = toOptions();
    // The last step before the commit: this version's code has a table that no migration makes.
    const tables = [...options.tables, pgTable("ghost", { id: integer("id") })];
    await expect(restoreBackup({ ...options, tables })).rejects.toThrow(/ghost/);
    expect([await hashTables(target.pool), await readFolder(folder.folder)]).toEqual(before);
  });
});

test("the backup by the clock that is restored is done, whoever else was at work is forgotten, and a trial changes neither", async () => {
  const name = "daily-20261126T033000Z.zip";
  const daily = join(folder.folder, name);
  await site.pool.query(
    `INSERT INTO site_backup (kind, status, began_at, file)
     VALUES ('backup', 'running', now(), $1), ('copy', 'running', now(), NULL), ('backup', 'failed', now(), NULL)`,
    [name],
  );
  await site.backUp(daily);
  await site.pool.query("TRUNCATE site_backup");
  const readStates = async () =>
    (await target.pool.query("SELECT kind, status, file, byte_size::float8 FROM site_backup ORDER BY id"))
      .rows;
  await restoreBackup({ ...toOptions(daily), isRehearsal: true });
  expect(await readStates()).toHaveLength(3);
  await restoreBackup({ ...toOptions(daily), keepFormer: async () => undefined });
  expect(await readStates()).toEqual([
    { kind: "backup", status: "done", file: name, byte_size: (await stat(daily)).size },
    { kind: "backup", status: "failed", file: null, byte_size: null },
  ]);
});

test("backups whose files are there are known after a restore: the replaced database's, and one that was being written", async () => {
  const toName = (day: number) => `daily-202611${day}T033000Z.zip`;
  const insert = `INSERT INTO site_backup (kind, status, began_at, file, removed_at) VALUES ('backup', $1, $2, $3, $4)`;
  const began = (day: number) => new Date(Date.UTC(2026, 10, day, 3, 30));
  await site.pool.query(insert, ["done", began(20), toName(20), null]);
  await site.pool.query(insert, ["running", began(21), toName(21), null]);
  await site.pool.query(insert, ["running", began(22), toName(22), null]);
  await site.backUp(join(folder.folder, "mine.zip"));
  await site.pool.query("TRUNCATE site_backup");

  const options = toOptions(join(folder.folder, "mine.zip"));
  await restoreBackup({ ...toOptions(), now: () => began(23) });
  for (const [day, removed] of [
    [20, null],
    [24, null],
    [25, began(26)],
    [26, null],
  ] as const)
    await target.pool.query(insert, ["done", began(day), toName(day), removed]);
  const backupDir = join(folder.folder, "backups");
  await mkdir(backupDir, { recursive: true });
  for (const day of [20, 21, 24, 25]) await writeFile(join(backupDir, toName(day)), "zip");
  await writeFile(join(backupDir, "daily-20200101T033000Z.zip"), "another site's");
  const report = await restoreBackup({ ...options, backupDir, keepFormer: async () => undefined });
  expect(report.notes).toEqual([]);
  const { rows } = await target.pool.query(
    "SELECT status, file, byte_size::float8, removed_at FROM site_backup ORDER BY id",
  );
  const done = { status: "done", removed_at: null };
  expect(rows).toEqual([
    { ...done, file: toName(20), byte_size: null },
    { ...done, file: toName(21), byte_size: 3 },
    { ...done, file: toName(24), byte_size: 3 },
  ]);
});

test("backups whose files are not there count as removed after a restore, unless nobody can say what is there", async () => {
  const toName = (day: number) => `daily-202611${day}T033000Z.zip`;
  for (const [kind, day] of [
    ["backup", 20],
    ["backup", 21],
    ["copy", 21],
  ] as const)
    await site.pool.query(
      "INSERT INTO site_backup (kind, status, began_at, file) VALUES ($1, 'done', now(), $2)",
      [kind, toName(day)],
    );
  const file = join(folder.folder, "mine.zip");
  await site.backUp(file);
  await site.pool.query("TRUNCATE site_backup");
  const readKept = async () => {
    const { rows } = await target.pool.query<{ kind: string; file: string }>(
      "SELECT kind, file FROM site_backup WHERE removed_at IS NULL ORDER BY id",
    );
    return rows.map((row) => `${row.kind} ${row.file}`);
  };
  const all = [`backup ${toName(20)}`, `backup ${toName(21)}`, `copy ${toName(21)}`];
  const keepFormer = async () => undefined;

  // Another folder than the site's own may be a disk that isn't mounted; a file in its place can't be listed.
  const unmounted = join(folder.folder, "unmounted");
  const { notes } = await restoreBackup({ ...toOptions(file), keepFormer, backupDir: unmounted });
  expect(notes).toEqual([expect.stringContaining(`Older backups in ${unmounted} won't be removed`)]);
  expect(await readKept()).toEqual(all);
  await restoreBackup({ ...toOptions(file), keepFormer, backupDir: file });
  expect(await readKept()).toEqual(all);

  const backupDir = join(folder.folder, "backups");
  await mkdir(backupDir);
  await writeFile(join(backupDir, toName(20)), "zip");
  await restoreBackup({ ...toOptions(file), keepFormer, backupDir });
  expect(await readKept()).toEqual([`backup ${toName(20)}`, `copy ${toName(21)}`]);
  await rm(backupDir, { recursive: true });
  await restoreBackup({ ...toOptions(file), keepFormer });
  expect(await readKept()).toEqual([`copy ${toName(21)}`]);
});

test("a backup of a migration that this version doesn't know is refused with the version's name", async () => {
  await site.pool.query(
    "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('x', 4102444800000)",
  );
  const newer = join(site.dataDir, "newer.zip");
  await site.backUp(newer);
  await site.pool.query("DELETE FROM drizzle.__drizzle_migrations WHERE hash = 'x'");
  expect(await fail(newer)).toMatch(/is of a newer Foyer \(0\.1\.0\).*2100-01-01/);
});

test("a backup of an older migration comes up to this version", async () => {
  await rm(join(site.dataDir, "older.zip"), { force: true });
  const older = await createTestDatabase();
  try {
    await older.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA drizzle CASCADE");
    const until = readMigrations().at(-2)?.when ?? 0;
    await applyMigrationRange(older.pool, { after: 0, until });
    await older.pool.query(
      "INSERT INTO audit_entry (action_type, username, change_message) VALUES ('LOGIN', 'Işık', '')",
    );
    const out = join(site.dataDir, "older.zip");
    await writeBackup({
      pool: older.pool,
      dataDir: folder.folder,
      file: out,
      appVersion: "0.0.9",
      now: new Date(),
      onProgress: () => {},
    });
    await restoreBackup(toOptions(out));
    const { rows } = await target.pool.query(
      "SELECT trim(search) AS search FROM audit_entry WHERE action_type = 'LOGIN'",
    );
    expect(rows).toEqual([{ search: "isik" }]);
  } finally {
    await older.close();
  }
});

const DEBIAN_15 = "/usr/lib/postgresql/15/bin";
(existsSync(DEBIAN_15) ? describe : describe.skip)("between the built-in PostgreSQL and Debian's 15", () => {
  test("a backup is restored in both directions with equal rows", async () => {
    const debian = await openDebianServer(DEBIAN_15);
    const pool = openPool(debian.connection);
    const back = await makeTestFolder();
    try {
      await restoreBackup(toRestoreOptions(file, folder.folder, debian.connection));
      const expected = await hashTables(site.pool);
      expect(await hashTables(pool)).toEqual(expected);
      const again = join(back.folder, "again.zip");
      const dataDir = folder.folder;
      await writeBackup({
        pool,
        dataDir,
        file: again,
        appVersion: "0.1.0",
        now: new Date(),
        onProgress: () => {},
      });
      await applyMigrations(target.pool);
      await restoreBackup(toRestoreOptions(again, back.folder, target.connection));
      expect(await hashTables(target.pool)).toEqual(expected);
    } finally {
      await pool.end();
      await debian.close();
      await back.remove();
    }
  });
});
