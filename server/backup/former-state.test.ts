import { chown, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTestDatabase } from "#test/database.ts";
import { makeSite } from "./fixture.ts";
import { createMigrationBackup, createReplacementBackup } from "./former-state.ts";
import { NO_STORES } from "./remote-stores.ts";

let site: Awaited<ReturnType<typeof makeSite>>;
let lines: string[];
beforeEach(async () => {
  site = await makeSite();
  lines = [];
});
afterEach(() => site.close());

function toOptions(time = "2026-11-20T12:00:00Z", isSkipped = false) {
  const onProgress = (line: string) => void lines.push(line);
  return {
    dataDir: site.dataDir,
    stores: NO_STORES,
    appVersion: "0.1.0",
    isSkipped,
    now: () => new Date(time),
    onProgress,
  };
}
const listBackups = () => readdir(join(site.dataDir, "backups")).catch(() => []);

test("before a migration the last five backups are kept, whatever the migrations are called", async () => {
  for (let day = 10; day < 17; day++) {
    const back = createMigrationBackup(toOptions(`2026-11-${day}T12:00:00Z`));
    await back(site.pool, [day % 2 ? "0009_late" : "0010_later", "0011_latest"]);
  }
  await createReplacementBackup(toOptions("2026-01-01T00:00:00Z"))(site.pool);
  expect(await listBackups()).toEqual([
    "before-0009_late-20261113T120000Z.zip",
    "before-0009_late-20261115T120000Z.zip",
    "before-0010_later-20261112T120000Z.zip",
    "before-0010_later-20261114T120000Z.zip",
    "before-0010_later-20261116T120000Z.zip",
    "before-restore-20260101T000000Z.zip",
  ]);
  expect(((await stat(join(site.dataDir, "backups"))).mode & 0o777).toString(8)).toBe("700");
});

const isRoot = process.getuid?.() === 0;
(isRoot ? test : test.skip)("what root keeps belongs to whom the data folder belongs to", async () => {
  await chown(site.dataDir, 12345, 23456);
  await createReplacementBackup(toOptions())(site.pool);
  for (const path of ["backups", "backups/before-restore-20261120T120000Z.zip"])
    expect(await stat(join(site.dataDir, path))).toMatchObject({ uid: 12345, gid: 23456 });
});

test("a database that nobody has put anything into needs no backup", async () => {
  const fresh = await createTestDatabase();
  try {
    await fresh.pool.query(
      "INSERT INTO audit_entry (action_type, detail, change_message) VALUES ('CREATE', 'sample', ''), ('LOGIN', 'failed_sign_in', '')",
    );
    await createMigrationBackup(toOptions())(fresh.pool, ["0006_next"]);
    expect(await listBackups()).toEqual([]);
    await fresh.pool.query(
      "INSERT INTO audit_entry (action_type, detail, change_message) VALUES ('UPDATE', 'import', '')",
    );
    await createMigrationBackup(toOptions())(fresh.pool, ["0006_next"]);
    expect(await listBackups()).toHaveLength(1);
  } finally {
    await fresh.close();
  }
});

test("a backup that can't be made stops the start with words, and FOYER_SKIP_BACKUP goes on without", async () => {
  await writeFile(join(site.dataDir, "backups"), "in the way");
  const failed = createMigrationBackup(toOptions())(site.pool, ["0006_next"]);
  await expect(failed).rejects.toMatchObject({
    name: "DatabaseStartError",
    message: expect.stringMatching(
      /^The backup before the migration 0006_next failed: [\s\S]*FOYER_SKIP_BACKUP=1/,
    ),
  });
  await createMigrationBackup(toOptions(undefined, true))(site.pool, ["0006_next"]);
  expect(lines.at(-1)).toBe("Migrating (0006_next) without a backup.");
});

test("a draft of a backup that was killed counts as none", async () => {
  await mkdir(join(site.dataDir, "backups"));
  await writeFile(join(site.dataDir, "backups", "before-0001_x-20200101T000000Z.zip.aa.part"), "half");
  await createMigrationBackup(toOptions())(site.pool, ["0006_next"]);
  expect(await listBackups()).toHaveLength(2);
});
