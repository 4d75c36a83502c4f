import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { access, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import { readMigrations } from "#server/db/migrate.ts";
import { type Connection, createPool, type Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import { openArchive } from "../archive.ts";
import { BackupError, type Manifest, parseManifest } from "../manifest.ts";
import { restoreBackup } from "../restore-backup.ts";
import { type RunResult, selectLatest, selectMade } from "./run-store.ts";
import type { ScheduledWork } from "./schedule.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const EVERY_MS = 30 * DAY_MS;
/** It follows a backup, in the hours in which nobody is there. */
const AFTER_BACKUP_MS = DAY_MS / 12;

export interface RehearsalOptions {
  pool: pg.Pool;
  /** Of the site's database; the trial's is another one of the same server. */
  connection: Connection;
  dataDir: string;
  /** Where backups are. */
  folder: string;
  tables: readonly PgTable[];
  now: () => Date;
  /** Other processes may make backups in folders of their own. */
  isShared?: boolean;
}

/** Only we make such a folder, and restore into nothing else. */
const toScratch = (dataDir: string) => join(dataDir, "rehearsal.part");

/** The same for one site, and another one for each other site of a shared server. */
async function readScratchName(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ name: string }>(
    "SELECT 'foyer_rehearsal_' || left(md5(current_database()), 12) AS name",
  );
  return rows[0]?.name ?? "";
}

/** Whether the account of the database may make another one. The supervised server's may. */
export async function canRehearse(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    "SELECT FROM pg_roles WHERE rolname = current_user AND (rolcreatedb OR rolsuper)",
  );
  return rowCount === 1;
}

function toConnection(connection: Connection, database: string): Connection {
  if (!("connectionString" in connection)) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** @throws BackupError for the first file or table that didn't come back as the manifest says */
async function compare(
  db: Queryable,
  folder: string,
  { tables, files, migrations }: Manifest,
): Promise<void> {
  for (const { path, sha256 } of files)
    if ((await hashFile(join(folder, path))) !== sha256)
      throw new BackupError(`${path} came back with other content than the backup says.`);
  // Newer migrations may move rows; what was loaded was counted before them.
  if (migrations.length < readMigrations().length) return;
  for (const { name, row_count } of tables) {
    const { rows } = await db.query<{ count: number }>(
      `SELECT count(*)::float8 AS count FROM public.${quoteName(name)}`,
    );
    if (rows[0]?.count !== row_count)
      throw new BackupError(
        `${name} came back with ${rows[0]?.count} rows, and the backup has ${row_count}.`,
      );
  }
}

async function readManifest(file: string): Promise<Manifest> {
  const archive = await openArchive(file);
  try {
    return parseManifest(await archive.readManifest());
  } finally {
    archive.close();
  }
}

/** Undefined: there is no such database. One that was dropped and made anew has another number. */
async function readDatabaseId(db: Queryable, name: string): Promise<number | undefined> {
  const { rows } = await db.query<{ oid: number }>("SELECT oid FROM pg_database WHERE datname = $1", [name]);
  return rows[0]?.oid;
}

/**
 * What a rehearsal leaves, also one that was killed. `own`: the number of its database; where that is gone another process has the work
 * by now, and what is there is that one's.
 */
async function cleanUp({ pool, dataDir }: RehearsalOptions, own?: { id: number | undefined }): Promise<void> {
  const name = await readScratchName(pool);
  if (own && (await readDatabaseId(pool, name)) !== own.id) return;
  await pool.query(`DROP DATABASE IF EXISTS ${quoteName(name)} WITH (FORCE)`);
  await rm(toScratch(dataDir), { recursive: true, force: true });
}

async function findNewest({ pool, folder }: RehearsalOptions): Promise<string> {
  const [name] = (await selectMade(pool)).sort().reverse();
  if (name === undefined) throw new BackupError("There is no backup to try.");
  const file = join(folder, name);
  await access(file).catch((error: unknown) => {
    throw new BackupError(`The newest backup is gone: there is no ${file}.`, { cause: error });
  });
  return file;
}

/**
 * Restores the newest backup into a database and a folder of its own, compares rows and files with what the backup says, and
 * takes both away again.
 * @throws BackupError with what is wrong
 */
async function rehearse(options: RehearsalOptions, stop: AbortSignal): Promise<RunResult> {
  const { pool, connection, dataDir, tables, now } = options;
  const file = await findNewest(options);
  const scratch = toScratch(dataDir);
  await cleanUp(options);
  const name = await readScratchName(pool);
  await pool.query(`CREATE DATABASE ${quoteName(name)} TEMPLATE template0 ENCODING 'UTF8'`);
  const own = { id: await readDatabaseId(pool, name) };
  const trial = createPool(toConnection(connection, name), {
    name: "foyer rehearsal",
    max: 1,
    onError: () => undefined, // the statement that fails says it
  });
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const { rowCount, fileCount } = await restoreBackup({
      file,
      dataDir: scratch,
      tables,
      openTarget: async () => ({ pool: trial, close: async () => undefined }),
      keepFormer: undefined,
      isRehearsal: true,
      now,
      onProgress: () => undefined,
      stop,
    });
    await compare(trial, scratch, await readManifest(file));
    return { status: "done", rowCount, fileCount };
  } finally {
    await trial.end();
    await cleanUp(options, own);
  }
}

/** A trial of the newest backup, monthly, right after one was made. */
export function createRehearsal(options: RehearsalOptions): ScheduledWork {
  return {
    kind: "rehearsal",
    cleanUp: () => cleanUp(options),
    async isDue(db, lastDone, now) {
      const { done } = await selectLatest(db, "backup");
      const ageMs = done ? now.getTime() - Date.parse(done.began_at) : Number.POSITIVE_INFINITY;
      if (ageMs < 0 || ageMs > AFTER_BACKUP_MS) return false;
      if (lastDone && lastDone <= now && now.getTime() - lastDone.getTime() < EVERY_MS) return false;
      // Another machine's: it tries its own.
      if (options.isShared && !existsSync(join(options.folder, done?.file ?? ""))) return false;
      return canRehearse(db);
    },
    run: (stop) => rehearse(options, stop),
  };
}
