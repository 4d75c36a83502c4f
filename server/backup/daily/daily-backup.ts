import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { giveToOwner } from "../data-folders.ts";
import { toBackupsFolder } from "../former-state.ts";
import { BackupError } from "../manifest.ts";
import type { RemoteStores } from "../remote-stores.ts";
import { writeBackup } from "../write-backup.ts";
import { listExpired } from "./retention.ts";
import { markRemoved, type RunResult, selectMade } from "./run-store.ts";

export interface DailyOptions {
  pool: pg.Pool;
  dataDir: string;
  /** Where files are that aren't in the data folder; left out: nowhere else. */
  stores?: RemoteStores;
  /** KEYS_SECRET, where the site's keys are in its database. */
  keysSecret?: string | undefined;
  /** Undefined: `backups` of the data folder. */
  backupDir: string | undefined;
  appVersion: string;
  now: () => Date;
  /** Other processes may make backups in folders of their own. */
  isShared?: boolean;
  stop?: AbortSignal;
}

/** Another folder than our own has to be there: one that isn't may be a disk that is not mounted. */
async function openBackupFolder({
  dataDir,
  backupDir,
}: Pick<DailyOptions, "dataDir" | "backupDir">): Promise<string> {
  if (backupDir === undefined) {
    const folder = toBackupsFolder(dataDir);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await giveToOwner([folder], dataDir);
    return folder;
  }
  const found = await stat(backupDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!found?.isDirectory())
    throw new BackupError(`There is no folder ${backupDir} (BACKUP_DIR). Is its disk mounted?`);
  return backupDir;
}

const DRAFT = /^daily-\d{8}T\d{6}Z\.zip\.[0-9a-f]+\.part$/;

/** What a process that was killed was writing. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => DRAFT.test(name));
  for (const name of drafts) await rm(join(folder, name), { force: true });
}

/**
 * Removes what is too old, of those alone that this site made. One that isn't here may be in the folder of another machine, which removes it
 * when it makes the next one: only a site of one folder counts it as removed.
 */
async function removeExpired(
  folder: string,
  newest: string,
  { pool, now, isShared }: DailyOptions,
): Promise<void> {
  const there = new Set(await readdir(folder));
  const made = (await selectMade(pool)).filter((name) => !isShared || there.has(name));
  const expired = listExpired([...made, newest]);
  if (expired.length === 0) return;
  for (const name of expired) await rm(join(folder, name), { force: true });
  await markRemoved(pool, expired, now());
}

/**
 * Writes one backup under that name, and removes those that are too old.
 * @throws what the disk or the database says
 */
export async function makeDailyBackup(name: string, options: DailyOptions): Promise<RunResult> {
  const { pool, dataDir, stores, keysSecret, appVersion, now, stop } = options;
  const folder = await openBackupFolder(options);
  await removeDrafts(folder);
  const file = join(folder, name);
  const { warnings, rowCount, fileCount } = await writeBackup({
    pool,
    dataDir,
    stores,
    keysSecret,
    file,
    appVersion,
    now: now(),
    onProgress: () => {},
    ...(stop && { stop }),
  });
  await giveToOwner([file], dataDir);
  const { size: byteSize } = await stat(file);
  const result: RunResult = { status: "done", file: name, byteSize, rowCount, fileCount };
  if (warnings.length > 0) result.message = warnings.join("\n");
  await removeExpired(folder, name, options);
  return result;
}

/** A file of that name is whole: it had another one until it was. @returns undefined where there is none */
export async function findWritten(name: string, options: DailyOptions): Promise<RunResult | undefined> {
  const found = await stat(join(await openBackupFolder(options), name)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
  return found && { status: "done", file: name, byteSize: found.size };
}
