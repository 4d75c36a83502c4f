import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { Command, CommanderError } from "commander";
import { unzipSync, zipSync } from "fflate";
import { lockFolder } from "#server/db/embedded/folder-lock.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { joinSite } from "#server/db/one-site.ts";
import { selectTables } from "#server/db/verify.ts";
import * as tables from "#server/tables.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { until } from "#test/until.ts";
import { registerBackupCommands } from "./cli.ts";
import { hashTables, makeSite, NOW } from "./fixture.ts";
import { NO_STORES } from "./remote-stores.ts";
import { whileStopped } from "./restore-command.ts";

let site: Awaited<ReturnType<typeof makeSite>>;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(() => site.close());

let target: TestDatabase;
let folder: Awaited<ReturnType<typeof makeTestFolder>>;
let file: string;
beforeEach(async () => {
  target = await createTestDatabase();
  folder = await makeTestFolder();
  file = join(folder.folder, "out.zip");
});
afterEach(async () => {
  await target.close();
  await folder.remove();
});

function toUrl({ host, port, user, database }: TestDatabase["connection"]): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** Runs a command over a database; gives what it printed and how it ended. */
async function run(place: { connection: TestDatabase["connection"]; dataDir: string }, ...args: string[]) {
  const result = { exitCode: 0, out: "", error: "" };
  const program = new Command("foyer").exitOverride().configureOutput({
    writeOut(text) {
      result.out += text;
    },
    writeErr(text) {
      result.error += text;
    },
  });
  registerBackupCommands(program, {
    dataDir: place.dataDir,
    databaseUrl: toUrl(place.connection),
    databaseUser: undefined,
    tables: selectTables(tables),
    log: { debug: () => {}, warn: () => {} },
    appVersion: "0.1.0",
    isSkipped: false,
    stores: NO_STORES,
    backupDir: undefined,
    place: undefined,
    now: () => NOW,
    onProgress: () => {},
  });
  await program.parseAsync(args, { from: "user" }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    result.exitCode = error.exitCode;
  });
  return result;
}

/** The key that a backup names. */
const toKey = (out: string) => /--trust ([\w-]{43})/.exec(out)?.[1] ?? "";

test("backup and restore carry a site to another database and folder", async () => {
  const backup = await run(site, "backup", file);
  expect(backup.out).toMatch(/Wrote .*out\.zip: [\d,]+ rows of \d+ tables, 4 files, 0\.\d MB\./);
  const restored = await run(
    { ...target, dataDir: join(folder.folder, "new") },
    "restore",
    file,
    "--trust",
    toKey(backup.out),
  );
  expect(restored).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining("Restored the backup of 2026-11-20"),
  });
  expect(await hashTables(target.pool)).toEqual(await hashTables(site.pool));
});

test("a file that is there is not written over, unless it is said", async () => {
  await writeFile(file, "mine");
  expect(await run(site, "backup", file)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("--force"),
  });
  expect(await run(site, "backup", file, "--force")).toMatchObject({ exitCode: 0 });
  expect((await readdir(folder.folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test.each([
  ["a folder", () => folder.folder, "is a folder"],
  ["a place in no folder", () => join(folder.folder, "none", "out.zip"), "There is no folder"],
  ["a name that the disk doesn't take", () => join(folder.folder, `${"x".repeat(300)}.zip`), "ENAMETOOLONG"],
])("a backup onto %s is refused with a sentence", async (_what, toFile, words) => {
  const { exitCode, error } = await run(site, "backup", toFile(), "--force");
  expect([exitCode, error]).toEqual([1, expect.stringContaining(words)]);
  expect(error).toMatch(/^No backup was made: [^\n]+\n$/);
});

test("what the database says of a backup is one line", async () => {
  await target.pool.query("ALTER TABLE drizzle.__drizzle_migrations DROP COLUMN hash");
  const { exitCode, error } = await run({ ...target, dataDir: folder.folder }, "backup", file);
  expect([exitCode, error]).toEqual([1, expect.stringMatching(/^No backup was made: column [^\n]+\n$/)]);
});

test("a backup comes to its end when nobody reads what it prints", async () => {
  const env = { ...process.env, FOYER_DATA_DIR: folder.folder, DATABASE_URL: toUrl(target.connection) };
  const command = spawn(process.execPath, ["server/cli.ts", "backup", file], { env, stdio: "pipe" });
  command.stdout.destroy();
  command.stderr.destroy();
  expect(await once(command, "exit")).toEqual([0, null]);
  expect((await readdir(folder.folder)).filter((name) => name.startsWith("out.zip"))).toEqual(["out.zip"]);
});

test("data is replaced only when it is said, and kept in a backup then", async () => {
  const key = toKey((await run(site, "backup", file)).out);
  const place = { ...target, dataDir: join(folder.folder, "new") };
  await run(place, "restore", file, "--trust", key);
  await target.pool.query("UPDATE account_user SET bio = 'changed'");
  const former = await hashTables(target.pool);
  expect(await run(place, "restore", file, "--trust", key)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("--replace"),
  });
  expect(await hashTables(target.pool)).toEqual(former);
  expect(await run(place, "restore", file, "--replace", "--trust", key)).toMatchObject({ exitCode: 0 });
  expect(await hashTables(target.pool)).toEqual(await hashTables(site.pool));
  const kept = join(place.dataDir, "backups", "before-restore-20261120T120000Z.zip");
  expect(existsSync(kept)).toBe(true);
  expect(await run(place, "restore", kept, "--replace")).toMatchObject({ exitCode: 0 });
  expect(await hashTables(target.pool)).toEqual(former);
});

test("a folder that a running Foyer holds is refused", async () => {
  const key = toKey((await run(site, "backup", file)).out);
  const lock = await lockFolder(folder.folder);
  try {
    await expect(run({ ...target, dataDir: folder.folder }, "restore", file, "--trust", key)).rejects.toThrow(
      "another Foyer process is using",
    );
  } finally {
    await lock.release();
  }
});

test("no process comes into the database while a restore runs, also one with another folder", async () => {
  const key = toKey((await run(site, "backup", file)).out);
  const enter = (timeoutMs?: number) =>
    joinSite(target.connection, { dataDir: folder.folder }, { warn: () => undefined }, timeoutMs);
  const reader = await target.pool.connect();
  let restoring: ReturnType<typeof run>;
  try {
    // It waits for who reads a table that it replaces.
    await reader.query("BEGIN; SELECT FROM account_user");
    restoring = run({ ...target, dataDir: join(folder.folder, "new") }, "restore", file, "--trust", key);
    await until(async () => {
      const { rowCount } = await target.pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'foyer backup' AND wait_event_type = 'Lock'",
      );
      return rowCount === 1;
    });
    await expect(enter(100)).rejects.toThrow(
      "A restore, repair or move-files --remove runs on this database",
    );
  } finally {
    await reader.query("ROLLBACK");
    reader.release();
  }
  expect(await restoring).toMatchObject({ exitCode: 0 });
  await (await enter()).leave();
});

test("what must not meet a running site keeps its processes out, and is refused where one runs", async () => {
  const deps = {
    ...{
      dataDir: join(folder.folder, "new"),
      databaseUrl: toUrl(target.connection),
      databaseUser: undefined,
    },
    ...{ log: { debug: () => {}, warn: () => {} }, onProgress: () => {} },
  };
  const enter = (timeoutMs?: number) =>
    joinSite(target.connection, { dataDir: folder.folder }, { warn: () => undefined }, timeoutMs);
  await whileStopped(deps, () =>
    expect(enter(100)).rejects.toThrow("A restore, repair or move-files --remove runs on this database"),
  );
  const member = await enter();
  await expect(whileStopped(deps, async () => undefined)).rejects.toThrow("A Foyer uses this database");
  await member.leave();
});

test("a repair is refused while a process of another folder uses the database", async () => {
  const place = { ...target, dataDir: join(folder.folder, "new") };
  const member = await joinSite(target.connection, { dataDir: folder.folder }, { warn: () => undefined });
  const { exitCode, error } = await run(place, "repair");
  expect([exitCode, error]).toEqual([
    1,
    expect.stringMatching(/^Nothing was repaired: A Foyer uses this database .*then run this again\.\n$/),
  ]);
  await member.leave();
  expect(await run(place, "repair")).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining("nothing had to be repaired"),
  });
});

test("a backup without a name gets one with the date, and --quiet says nothing", async () => {
  const before = process.cwd();
  process.chdir(folder.folder);
  try {
    expect(await run(site, "backup", "--quiet")).toEqual({ exitCode: 0, out: "", error: "" });
  } finally {
    process.chdir(before);
  }
  expect(await readdir(folder.folder)).toEqual(["foyer-20261120T120000Z.zip"]);
});

test("backups that the server made are listed", async () => {
  expect((await run(site, "backups")).out).toBe("The site has made no backup by itself yet.\n");
  await site.pool.query(
    `INSERT INTO site_backup (kind, status, began_at, file, byte_size, message)
     VALUES ('backup', 'done', '2026-11-20T03:30:00Z', 'daily-20261120T033000Z.zip', 2500000, NULL),
       ('rehearsal', 'failed', '2026-11-20T04:30:00Z', NULL, NULL, 'A row is missing.')`,
  );
  const { out } = await run(site, "backups");
  await site.pool.query("DELETE FROM site_backup");
  expect(out.split("\n")).toEqual([
    expect.stringMatching(/ {2}failed {3}rehearsed restore {2}A row is missing\.$/),
    expect.stringMatching(/ {2}done {5}daily-20261120T033000Z\.zip {2}2\.5 MB$/),
    "",
  ]);
});

/** Writes the archive anew, as somebody could who has it and not the site. */
async function rewrite(change: (entries: Record<string, Uint8Array>) => void): Promise<void> {
  const entries = unzipSync(await readFile(file));
  change(entries);
  await writeFile(file, zipSync(entries, { level: 0 }));
}

describe("whose a backup is", () => {
  const there = () => ({ ...target, dataDir: join(folder.folder, "new") });
  const refused = (words: string) => ({ exitCode: 1, error: expect.stringContaining(words) });

  test("another site's is refused until its key is said, and another key is none", async () => {
    const key = toKey((await run(site, "backup", file)).out);
    expect(key).toHaveLength(43);
    expect(await run(there(), "restore", file)).toMatchObject(refused(`add --trust ${key}`));
    expect(await run(there(), "restore", file, "--trust", "A".repeat(43))).toMatchObject(
      refused(`the key ${key}`),
    );
    expect(await run(there(), "restore", file, "--trust", "abc")).toMatchObject(refused("43 characters"));
    expect((await target.pool.query("SELECT FROM account_user")).rowCount).toBe(0);
    expect(await run(there(), "restore", file, "--trust", key)).toMatchObject({ exitCode: 0 });
    // The key of the site that signed is in none of its backups: this one has its own.
    expect(toKey((await run(there(), "backup", file, "--force")).out)).not.toBe(key);
    expect(await run(there(), "restore", file, "--replace")).toMatchObject({ exitCode: 0 });
  });

  test("one that was changed after it was signed is refused, whoever is trusted", async () => {
    const key = toKey((await run(site, "backup", file)).out);
    await rewrite((entries) => {
      const manifest = Buffer.from(entries["manifest.json"] ?? "").toString();
      entries["manifest.json"] = Buffer.from(manifest.replace("0.1.0", "0.1.1"));
    });
    for (const flags of [["--trust", key], ["--unsigned"]])
      expect(await run(there(), "restore", file, ...flags)).toMatchObject(
        refused("was changed after it was signed"),
      );
  });

  test("one without a signature is refused until that is said", async () => {
    const key = toKey((await run(site, "backup", file)).out);
    await rewrite((entries) => {
      delete entries["signature.json"];
    });
    expect(await run(there(), "restore", file, "--trust", key)).toMatchObject(refused("--unsigned"));
    expect(await run(there(), "restore", file, "--unsigned")).toMatchObject({ exitCode: 0 });
  });

  test("the key that signs is its owner's alone, and no backup has it", async () => {
    await run(site, "backup", file);
    const path = join(site.dataDir, "signing", "backup-key.pem");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(Object.keys(unzipSync(await readFile(file))).filter((name) => name.includes("signing"))).toEqual(
      [],
    );
  });
});

describe("an encrypted backup", () => {
  const there = () => ({ ...target, dataDir: join(folder.folder, "new") });
  const refused = (words: string) => ({ exitCode: 1, error: expect.stringContaining(words) });
  const write = async (name: string, text: string) => {
    await writeFile(join(folder.folder, name), text);
    return join(folder.folder, name);
  };

  test("for a recipient is opened by its identity alone, and nothing plain is left", async () => {
    const identity = await generateIdentity();
    const [own, other] = [
      await write("own.txt", `# made by age-keygen\n${identity}\n`),
      await write("other.txt", await generateIdentity()),
    ];
    const backup = await run(
      site,
      "backup",
      file,
      "--encrypt",
      "--recipient",
      await identityToRecipient(identity),
    );
    expect(backup).toMatchObject({ exitCode: 0, out: expect.stringContaining("It is encrypted") });
    const bytes = await readFile(file);
    expect(bytes.toString("latin1", 0, 21)).toBe("age-encryption.org/v1");
    expect(bytes.includes("person_1")).toBe(false);
    const trust = ["--trust", toKey(backup.out)];
    expect(await run(there(), "restore", file, ...trust)).toMatchObject(refused("--identity FILE"));
    expect(await run(there(), "restore", file, ...trust, "--identity", other)).toMatchObject(
      refused("the identity is another one"),
    );
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100);
    await writeFile(file, bytes);
    expect(await run(there(), "restore", file, ...trust, "--identity", own)).toMatchObject(
      refused("was changed"),
    );
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100);
    await writeFile(file, bytes);
    expect(await run(there(), "restore", file, ...trust, "--identity", own)).toMatchObject({ exitCode: 0 });
    expect(await hashTables(target.pool)).toEqual(await hashTables(site.pool));
    const names = [...(await readdir(folder.folder)), ...(await readdir(there().dataDir))];
    expect(names.filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("by a passphrase is opened by the same one", async () => {
    const [right, wrong, short] = [
      await write("right.txt", "correct horse battery\n"),
      await write("wrong.txt", "another horse battery"),
      await write("short.txt", "horse"),
    ];
    expect(await run(site, "backup", file, "--passphrase-file", short)).toMatchObject(
      refused("12 characters"),
    );
    expect(existsSync(file)).toBe(false);
    const backup = await run(site, "backup", file, "--encrypt", "--passphrase-file", right);
    const trust = ["--trust", toKey(backup.out)];
    expect(await run(there(), "restore", file, ...trust, "--passphrase-file", wrong)).toMatchObject(
      refused("the passphrase is another one"),
    );
    expect(await run(there(), "restore", file, ...trust, "--passphrase-file", right)).toMatchObject({
      exitCode: 0,
    });
  });

  test("wants one way to open it, and says which there are", async () => {
    expect(await run(site, "backup", file, "--encrypt")).toMatchObject(refused("--recipient age1"));
    expect(await run(site, "backup", file, "--encrypt", "--recipient", "bob")).toMatchObject(
      refused("no recipient"),
    );
    expect(existsSync(file)).toBe(false);
  });
});
