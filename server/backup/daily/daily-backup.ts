import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { giveToOwner, toStamp } from "../data-folders.ts";
import { toBackupsFolder } from "../former-state.ts";
import { BackupError } from "../manifest.ts";
import { writeBackup } from "../write-backup.ts";
import { listExpired, toDailyName } from "./retention.ts";
import { markRemoved, type RunResult, selectMade } from "./run-store.ts";

/** Where a copy of each backup goes beside the folder. */
export interface RemotePlace {
  /** As the owner knows it, without passwords. */
  title: string;
  /** Puts a file there and compares it with what arrived. @throws Error that says what is wrong */
  put(file: string, name: string): Promise<void>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
}

export interface DailyOptions {
  pool: pg.Pool;
  dataDir: string;
  /** Undefined: `backups` of the data folder. */
  backupDir: string | undefined;
  remote: RemotePlace | undefined;
  appVersion: string;
  now: () => Date;
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

/** Removes what is too old, here and at the other place, of those alone that this site made. */
async function removeExpired(folder: string, { pool, remote, now }: DailyOptions): Promise<void> {
  const made = await selectMade(pool);
  const expired = listExpired(made);
  if (expired.length === 0) return;
  const there = new Set(await remote?.list());
  for (const name of expired) {
    await rm(join(folder, name), { force: true });
    if (there.has(name)) await remote?.remove(name);
  }
  await markRemoved(pool, expired, now());
}

/**
 * Writes one backup, copies it to the other place, and removes those that are too old.
 * @throws what the disk, the database or the other place says; the backup in the folder stays where only its copy failed
 */
export async function makeDailyBackup(options: DailyOptions): Promise<RunResult> {
  const { pool, dataDir, remote, appVersion, now, stop } = options;
  const folder = await openBackupFolder(options);
  await removeDrafts(folder);
  const moment = now();
  const name = toDailyName(toStamp(moment));
  const file = join(folder, name);
  const { warnings, rowCount, fileCount } = await writeBackup({
    pool,
    dataDir,
    file,
    appVersion,
    now: moment,
    onProgress: () => {},
    ...(stop && { stop }),
  });
  await giveToOwner([file], dataDir);
  const { size: byteSize } = await stat(file);
  const result: RunResult = { status: "done", file: name, byteSize, rowCount, fileCount };
  if (warnings.length > 0) result.message = warnings.join("\n");
  if (remote) {
    const fault = await copyTo(remote, file, name);
    if (fault !== undefined) return { ...result, status: "failed", message: fault };
    result.remote = remote.title;
  }
  await removeExpired(folder, options);
  return result;
}

async function copyTo(remote: RemotePlace, file: string, name: string): Promise<string | undefined> {
  try {
    await remote.put(file, name);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${name} was written, and could not be copied to ${remote.title}: ${reason}`;
  }
}
