import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { DatabaseStartError } from "#server/db/embedded/start-error.ts";
import { giveToOwner, toStamp } from "./data-folders.ts";
import type { RemoteStores } from "./remote-stores.ts";
import { holdsData } from "./target.ts";
import { writeBackup } from "./write-backup.ts";

const KEPT = 5;
const BEFORE_MIGRATION = /^before-\d{4}_.*\.zip$/;
const BEFORE_IMPORT = /^before-import-.*\.zip$/;

export interface FormerStateOptions {
  dataDir: string;
  /** Where files are that aren't in the data folder. */
  stores: RemoteStores;
  /** KEYS_SECRET, where the site's keys are in its database. */
  keysSecret?: string | undefined;
  appVersion: string;
  /** FOYER_SKIP_BACKUP. */
  isSkipped: boolean;
  now: () => Date;
  onProgress(line: string): void;
}

/** Where backups go unless their owner names a folder. */
export function toBackupsFolder(dataDir: string): string {
  return join(dataDir, "backups");
}

/** Writes what is there now to `<data>/backups/before-<event>-<time>.zip`. @returns that file */
async function keep(
  pool: pg.Pool,
  event: string,
  options: FormerStateOptions,
  stop?: AbortSignal,
): Promise<string> {
  const { dataDir, stores, keysSecret, appVersion, onProgress } = options;
  const now = options.now();
  const folder = toBackupsFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await giveToOwner([folder], dataDir);
  const file = join(folder, `before-${event}-${toStamp(now)}.zip`);
  onProgress(`Backing up to ${file}…`);
  const to = { pool, dataDir, stores, keysSecret, file, appVersion, now, onProgress: () => {} };
  const { warnings } = await writeBackup({ ...to, ...(stop && { stop }) });
  await giveToOwner([file], dataDir);
  for (const warning of warnings) onProgress(`  ${warning}`);
  return file;
}

async function removeOld(dataDir: string, pattern: RegExp): Promise<void> {
  const names = (await readdir(toBackupsFolder(dataDir))).filter((name) => pattern.test(name));
  // The time ends the name, before its ending.
  const byTime = names.sort((a, b) => (a.slice(-20) < b.slice(-20) ? -1 : 1));
  for (const name of byTime.slice(0, -KEPT)) await rm(join(toBackupsFolder(dataDir), name), { force: true });
}

/**
 * What `openDatabase` calls before migrations: backs a database with data up, and keeps the last five such backups. A backup
 * that can't be made stops the start.
 */
export function createMigrationBackup(options: FormerStateOptions) {
  return async (pool: pg.Pool, pending: readonly string[]): Promise<void> => {
    const [migration = ""] = pending;
    if (options.isSkipped) return options.onProgress(`Migrating (${migration}) without a backup.`);
    if (!(await holdsData(pool))) return;
    try {
      await keep(pool, migration, options);
      await removeOld(options.dataDir, BEFORE_MIGRATION);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new DatabaseStartError(
        `The backup before the migration ${migration} failed: ${reason}\nNothing was migrated. Mend that, or set FOYER_SKIP_BACKUP=1 to go on without a backup.`,
        { cause: error },
      );
    }
  };
}

/** What a restore calls before it replaces data. */
export function createReplacementBackup(options: FormerStateOptions) {
  return async (pool: pg.Pool, stop?: AbortSignal): Promise<void> => {
    if (options.isSkipped) return options.onProgress("Replacing what is there without a backup of it.");
    await keep(pool, "restore", options, stop);
  };
}

/**
 * What an import of the CV calls before it changes or removes something; the last five such backups are kept. `pool` has no
 * timeout of its own. @returns the file; undefined: by the settings it goes without
 */
export async function backUpBeforeImport(
  pool: pg.Pool,
  options: FormerStateOptions,
): Promise<string | undefined> {
  if (options.isSkipped) return undefined;
  const file = await keep(pool, "import", options);
  await removeOld(options.dataDir, BEFORE_IMPORT);
  return file;
}
