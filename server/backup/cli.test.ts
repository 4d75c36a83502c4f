import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Command, CommanderError } from "commander";
import { lockFolder } from "#server/db/embedded/folder-lock.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { selectTables } from "#server/db/verify.ts";
import * as tables from "#server/tables.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { registerBackupCommands } from "./cli.ts";
import { hashTables, makeSite, NOW } from "./fixture.ts";

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

test("backup and restore carry a site to another database and folder", async () => {
  const backup = await run(site, "backup", file);
  expect(backup.out).toMatch(/Wrote .*out\.zip: [\d,]+ rows of \d+ tables, 4 files, 0\.\d MB\./);
  const restored = await run({ ...target, dataDir: join(folder.folder, "new") }, "restore", file);
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
  await run(site, "backup", file);
  const place = { ...target, dataDir: join(folder.folder, "new") };
  await run(place, "restore", file);
  await target.pool.query("UPDATE account_user SET bio = 'changed'");
  const former = await hashTables(target.pool);
  expect(await run(place, "restore", file)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("--replace"),
  });
  expect(await hashTables(target.pool)).toEqual(former);
  expect(await run(place, "restore", file, "--replace")).toMatchObject({ exitCode: 0 });
  expect(await hashTables(target.pool)).toEqual(await hashTables(site.pool));
  const kept = join(place.dataDir, "backups", "before-restore-20261120T120000Z.zip");
  expect(existsSync(kept)).toBe(true);
  expect(await run(place, "restore", kept, "--replace")).toMatchObject({ exitCode: 0 });
  expect(await hashTables(target.pool)).toEqual(former);
});

test("a folder that a running Foyer holds is refused", async () => {
  await run(site, "backup", file);
  const lock = await lockFolder(folder.folder);
  try {
    await expect(run({ ...target, dataDir: folder.folder }, "restore", file)).rejects.toThrow(
      "another Foyer process is using",
    );
  } finally {
    await lock.release();
  }
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
