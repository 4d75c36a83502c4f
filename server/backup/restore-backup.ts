import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { finished } from "node:stream/promises";
import type { PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import { noteSetBack } from "#server/audit/service.ts";
import { putKeysIn } from "#server/db/keys/open-keys.ts";
import { applyMigrationRange, lockMigrations, readMigrations } from "#server/db/migrate.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { verifySchemaIn } from "#server/db/verify.ts";
import { holdRestored } from "#server/mail/service.ts";
import { type ArchiveReader, type Measure, openArchive } from "./archive.ts";
import { type FormerBackups, readFormerBackups, settleRestored } from "./daily/after-restore.ts";
import { toBackupsFolder } from "./former-state.ts";
import { loadRows } from "./load-rows.ts";
import { BackupError, type Manifest, parseManifest, toFileName, toRowsName } from "./manifest.ts";
import { rebuildSchema } from "./rebuild-schema.ts";
import { listStoredFiles, NO_STORES, placeFiles, type RemoteStores } from "./remote-stores.ts";
import { stageFiles } from "./stage-files.ts";
import { findReplaced } from "./target.ts";
import { COPY_SETTINGS } from "./write-backup.ts";

/** Where a backup is restored to; nobody else uses it. */
export interface RestoreTarget {
  /** One connection is enough; without a query timeout of its own. */
  pool: pg.Pool;
  /** Does work that makes the tables of the audit log anew. Undefined: the pool's account may do so always. */
  withLogRights?: (<Answer>(work: () => Promise<Answer>) => Promise<Answer>) | undefined;
  /** Aborted when others may come in, after all: the restore ends then as with `stop`. */
  lost?: AbortSignal | undefined;
  close(): Promise<void>;
}

export interface RestoreOptions {
  file: string;
  dataDir: string;
  /** Left out: all files go to the data folder. */
  stores?: RemoteStores | undefined;
  /** Why nothing may be taken away from them, as the end of a sentence. Left out, or undefined: it may. */
  findRemovalFault?: ((db: Queryable) => Promise<string | undefined>) | undefined;
  /** KEYS_SECRET: the backup's keys go into the database with its rows, sealed. Undefined: they are files of the data folder. */
  keysSecret?: string | undefined;
  /** Where the site's backups by the clock are; undefined: `backups` of the data folder. */
  backupDir?: string | undefined;
  /** Tables of this version, to compare with what comes out. */
  tables: readonly PgTable[];
  /** Called with who signed the archive, before anything else; a throw ends the restore. Undefined: whoever it was. */
  checkSigner?: (signer: string | undefined) => Promise<void>;
  /** Opened once the archive is known to be whole. */
  openTarget(): Promise<RestoreTarget>;
  /** Undefined: a target that holds data is refused. Else called before it is replaced, to keep what it holds. */
  keepFormer: ((pool: pg.Pool, stop?: AbortSignal) => Promise<void>) | undefined;
  /** A trial whose mail nobody sends: the rows stay as they are in the backup. */
  isRehearsal?: boolean;
  now: () => Date;
  onProgress(line: string): void;
  /** Ends the restore between two steps, up to the commit; all is as it was then. */
  stop?: AbortSignal;
}

/** What was restored, in numbers, and what the owner should know. */
export interface RestoreReport {
  tableCount: number;
  rowCount: number;
  fileCount: number;
  createdAt: string;
  notes: string[];
}

/** @throws BackupError when this version can't have made these tables */
function checkMigrations({ migrations, app_version }: Manifest): void {
  const known = readMigrations();
  for (const [place, { when, name, hash }] of migrations.entries()) {
    const own = known[place];
    if (own?.when === when && own.hash === hash) continue;
    const isNewer = !known.some((other) => other.when === when);
    throw new BackupError(
      isNewer
        ? `The backup is of a newer Foyer (${app_version}): this one doesn't know its migration ${name}. Install that version or a newer one, then restore.`
        : `The backup's migration ${name} differs from this version's: it was made by another Foyer than this one.`,
    );
  }
}

async function verifyEntry(archive: ArchiveReader, name: string, expected: Measure): Promise<void> {
  const source = await archive.open(name, expected);
  source.resume();
  await finished(source);
}

/** Reads every byte before anything is touched. */
async function verifyArchive(
  archive: ArchiveReader,
  { tables, files }: Manifest,
  stop: AbortSignal | undefined,
): Promise<void> {
  const entries = [
    ...tables.map((table) => ({ name: toRowsName(table.name), expected: table })),
    ...files.map((file) => ({ name: toFileName(file.path), expected: file })),
  ];
  for (const { name, expected } of entries) {
    stop?.throwIfAborted();
    await verifyEntry(archive, name, expected);
  }
}

/** Gives the files that no backup keeps: they are moved aside. @throws BackupError where data would be replaced that nobody asked to */
async function checkTarget(
  { pool }: RestoreTarget,
  manifest: Manifest,
  stored: ReadonlySet<string>,
  { dataDir, keepFormer, stop }: RestoreOptions,
): Promise<string[]> {
  const { isFilled, foreign } = await findReplaced(pool, dataDir, stored, manifest);
  if (!isFilled) return foreign;
  if (!keepFormer)
    throw new BackupError(
      "The database holds data already. With --replace it is backed up, taken away and replaced.",
    );
  await keepFormer(pool, stop);
  return [];
}

async function restoreRows(
  client: pg.PoolClient,
  archive: ArchiveReader,
  manifest: Manifest,
  { file, tables, isRehearsal = false, now, onProgress, stop }: RestoreOptions,
  former: FormerBackups,
): Promise<string[]> {
  await client.query(COPY_SETTINGS);
  await lockMigrations(client);
  const notes = await rebuildSchema(client, manifest);
  await loadRows(client, archive, manifest, { onProgress, stop });
  await applyMigrationRange(client, {
    after: manifest.migrations.at(-1)?.when ?? 0,
    until: Number.POSITIVE_INFINITY,
  });
  await verifySchemaIn(client, tables);
  if (!isRehearsal) {
    const { size: byteSize } = await stat(file);
    await settleRestored(client, { file: basename(file), byteSize, former, now: now() });
    await holdRestored(client, now());
  }
  return notes;
}

function toKeptNote(foreign: readonly string[], folder: string): string {
  const [first = ""] = foreign;
  const what = foreign.length === 1 ? "1 file that is" : `${foreign.length} files that are`;
  return `${what} not in the backup, for instance ${first}, went to ${folder}.`;
}

/** What comes after the commit: the restore stands without it. */
async function attempt(title: string, work: () => Promise<unknown>, notes: string[]): Promise<void> {
  try {
    await work();
  } catch (error) {
    notes.push(`${title} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function restoreInto(
  target: RestoreTarget,
  archive: ArchiveReader,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<string[]> {
  const { dataDir, stores = NO_STORES, keysSecret, onProgress, stop } = options;
  const stored = await listStoredFiles(stores);
  const fault = await options.findRemovalFault?.(target.pool);
  const foreign = await checkTarget(target, manifest, fault === undefined ? stored : new Set(), options);
  const lost = fault === undefined ? [] : [`What the backup doesn't hold was left in the bucket: ${fault}`];
  const folder = options.backupDir ?? toBackupsFolder(dataDir);
  const place = { folder, isOwn: options.backupDir === undefined };
  const former = await readFormerBackups(target.pool, place).catch((error: Error): FormerBackups => {
    lost.push(`Older backups in ${folder} won't be removed by themselves: ${error.message}`);
    return { made: [], there: undefined };
  });
  onProgress(`Unpacking ${manifest.files.length.toLocaleString("en")} files…`);
  const placed = await placeFiles(archive, manifest.files, {
    ...{ stores, former: stored, stop },
    mayRemove: fault === undefined,
  });
  const staged = await stageFiles(archive, { ...manifest, files: placed.rest }, dataDir, stop).catch(
    async (error: unknown) => {
      await placed.takeBack();
      throw error;
    },
  );
  let notes: string[];
  let putMarkBack: (() => Promise<void>) | undefined;
  try {
    onProgress("Loading rows…");
    notes = await withTransaction(target.pool, async (client) => {
      const lines = await restoreRows(client, archive, manifest, options, former);
      stop?.throwIfAborted();
      if (!options.isRehearsal) {
        const entry = { detail: "restore", message: manifest.created_at } as const;
        putMarkBack = await noteSetBack(client, dataDir, entry);
      }
      // Late, so that little more than the commit itself stands between files and rows.
      await staged.swapIn();
      // Another process, with a folder of its own, may be the first that starts.
      if (keysSecret !== undefined && !options.isRehearsal) await putKeysIn(client, dataDir, keysSecret);
      return [...lines, ...lost];
    });
  } catch (error) {
    await putMarkBack?.();
    await staged.swapBack();
    await staged.cleanUp();
    await placed.takeBack();
    throw error;
  }
  // The rows are committed: from here on nothing is put back.
  await attempt(
    "Keeping the former files",
    async () => {
      const kept = await staged.keepFormer(foreign, options.now());
      await placed.removeOthers(kept, foreign);
      if (kept) notes.push(toKeptNote(foreign, kept));
      await staged.cleanUp();
    },
    notes,
  );
  return notes;
}

/**
 * Puts a backup in place of an empty Foyer: rows in one transaction, files by renames at its end. Whatever fails leaves the
 * target as it was.
 * @throws BackupError with what is wrong
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { file, onProgress } = options;
  const archive = await openArchive(file);
  try {
    const signer = await archive.readSigner();
    await options.checkSigner?.(signer);
    const manifest = parseManifest(await archive.readManifest());
    checkMigrations(manifest);
    onProgress(`Checking the backup of ${manifest.created_at}…`);
    await verifyArchive(archive, manifest, options.stop);
    const target = await options.openTarget();
    try {
      const stop = AbortSignal.any([options.stop, target.lost].filter((signal) => signal !== undefined));
      const withRights = target.withLogRights ?? ((work) => work());
      const notes = await withRights(async () => {
        const lines = await restoreInto(target, archive, manifest, { ...options, stop });
        // Plans are poor until then; without it autovacuum comes later.
        await attempt("ANALYZE", () => target.pool.query("ANALYZE"), lines);
        return lines;
      });
      const rowCount = manifest.tables.reduce((sum, table) => sum + table.row_count, 0);
      const { tables, files, created_at: createdAt } = manifest;
      return { tableCount: tables.length, rowCount, fileCount: files.length, createdAt, notes };
    } finally {
      await target.close();
    }
  } finally {
    archive.close();
  }
}
