import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { readKeyFiles } from "#server/db/keys/open-keys.ts";
import { readAppliedMigrations } from "#server/db/migrate.ts";
import { cutConnection, type Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type ArchiveWriter, createArchive } from "./archive.ts";
import { describeLoss, findUnreadable, isDamage, readableSql } from "./damage.ts";
import { listDataFiles } from "./data-folders.ts";
import { type CopiedTable, listTables } from "./list-tables.ts";
import {
  BackupError,
  FORMAT_VERSION,
  MANIFEST_NAME,
  type Manifest,
  type ManifestFile,
  type ManifestTable,
  toFileName,
  toRowsName,
} from "./manifest.ts";
import {
  createRetries,
  listStoredFiles,
  NO_STORES,
  type Pause,
  type RemoteStores,
  readStoredFile,
} from "./remote-stores.ts";
import { openSigner, SIGNATURE_NAME } from "./signature.ts";

/** One moment for all tables, whatever is written meanwhile. */
const SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/** Values as every PostgreSQL reads them back, and no end to a statement before its time. */
export const COPY_SETTINGS = `
  SET LOCAL statement_timeout = 0; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'; SET LOCAL search_path = public`;

export interface BackupOptions {
  /** Without a query timeout of its own. */
  pool: pg.Pool;
  dataDir: string;
  /** Left out: all files lie in the data folder. */
  stores?: RemoteStores | undefined;
  /** KEYS_SECRET, where the site's keys are in its database. */
  keysSecret?: string | undefined;
  /** Where the archive is to be; what is there is written over. */
  file: string;
  appVersion: string;
  now: Date;
  onProgress(line: string): void;
  /** Leaves out what can't be read of damaged tables, with a warning, where else the backup would fail. */
  skipsDamaged?: boolean;
  /** Ends the backup; nothing is left of it then. */
  stop?: AbortSignal;
  /** Between two tries of a store that is away. */
  pause?: Pause;
}

/** What a backup holds, in numbers, and what is not as it should be. */
export interface BackupReport {
  tableCount: number;
  rowCount: number;
  fileCount: number;
  /** Of the key that it is signed with. */
  publicKey: string;
  warnings: string[];
}

const format = (count: number) => count.toLocaleString("en");

/** What can be copied, and a line for each thing that can't be, or not so that it comes back as it is. */
function toCopied(tables: readonly CopiedTable[]): { copied: CopiedTable[]; warnings: string[] } {
  const warnings = tables.flatMap(({ name, columns, ownTypes }) =>
    columns.length === 0
      ? [`The table ${name} was left out: it has no columns to copy.`]
      : ownTypes.map(
          ({ column, type }) =>
            `${name}.${column} has the type ${type}, which no backup holds: make it before you restore, else the column comes back as text.`,
        ),
  );
  return { copied: tables.filter(({ columns }) => columns.length > 0), warnings };
}

function toDamagedError(table: string, error: Error): BackupError {
  return new BackupError(
    `The table ${table} is damaged (${error.message}). Stop the server and run "npm run foyer -- repair", which saves the rest of it; with --skip-damaged a backup leaves out what can't be read.`,
    { cause: error },
  );
}

/** Rows as they are copied. Of a damaged table, where that is wished, those that can be read, with a line for what is lost. */
async function toRowsSql(
  client: pg.PoolClient,
  { name, columns, partitions }: CopiedTable,
  { skipsDamaged = false }: BackupOptions,
  warnings: string[],
): Promise<string> {
  const list = columns.map((column) => quoteName(column.name)).join(", ");
  const all = `SELECT ${list} FROM public.${quoteName(name)}`;
  if (!skipsDamaged || partitions.length > 0) return all;
  await client.query("SAVEPOINT whole");
  try {
    await client.query(`SELECT count(t.*::text) FROM public.${quoteName(name)} t`);
    return all;
  } catch (error) {
    if (!isDamage(error)) throw error;
    await client.query("ROLLBACK TO SAVEPOINT whole");
    const lost = await findUnreadable(client, name);
    warnings.push(describeLoss(name, lost));
    return readableSql(name, list, lost);
  }
}

async function copyTable(
  client: pg.PoolClient,
  archive: ArchiveWriter,
  { name, columns, sequences, partitions }: CopiedTable,
  rowsSql: string,
): Promise<ManifestTable> {
  const copy = client.query(copyTo(`COPY (${rowsSql}) TO STDOUT`));
  const measure = await archive.add(toRowsName(name), copy).catch((error: unknown) => {
    cutConnection(client);
    throw isDamage(error) ? toDamagedError(name, error) : error;
  });
  const numbers: ManifestTable["sequences"] = [];
  for (const { column, sequence } of sequences) {
    // Not part of the snapshot: it is at least as far as the rows.
    const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
      `SELECT last_value::text, is_called FROM ${sequence}`,
    );
    if (rows[0]) numbers.push({ column, ...rows[0] });
  }
  return { name, columns, row_count: copy.rowCount, ...measure, sequences: numbers, partitions };
}

/** Undefined: it went away since it was listed. */
async function copyFile(
  archive: ArchiveWriter,
  dataDir: string,
  path: string,
): Promise<ManifestFile | undefined> {
  const handle = await open(join(dataDir, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!handle) return undefined;
  return { path, ...(await archive.add(toFileName(path), handle.createReadStream())) };
}

const addBytes = async (archive: ArchiveWriter, path: string, bytes: Buffer): Promise<ManifestFile> => ({
  path,
  ...(await archive.add(toFileName(path), Readable.from([bytes]))),
});

/** Of a file that lies at both places, as while files are moved, the one that the site uses. */
async function copyFiles(
  archive: ArchiveWriter,
  keys: ReadonlyMap<string, string>,
  { dataDir, stores = NO_STORES, stop, pause, onProgress }: BackupOptions,
): Promise<{ files: ManifestFile[]; warnings: string[] }> {
  const retry = createRetries(stop, pause);
  const { paths: found, strange } = await listDataFiles(dataDir);
  // What is left of them in the folder isn't used.
  const local = keys.size > 0 ? found.filter((path) => !path.startsWith("keys/")) : found;
  const stored = await retry(() => listStoredFiles(stores));
  const paths = [...local.filter((path) => !stored.has(path)), ...stored];
  onProgress(`  files ${format(paths.length + keys.size)}`);
  const files: ManifestFile[] = [];
  for (const [name, text] of keys) files.push(await addBytes(archive, `keys/${name}`, Buffer.from(text)));
  const warnings = strange.map(
    (path) => `${path} was left out: it is a link, or has a name that Foyer doesn't give.`,
  );
  const copyStored = async (path: string) => {
    const bytes = await retry(() => readStoredFile(stores, path));
    return bytes && addBytes(archive, path, bytes);
  };
  for (const path of paths) {
    const file = await (stored.has(path) ? copyStored(path) : copyFile(archive, dataDir, path));
    if (file) files.push(file);
    else warnings.push(`${path} went away while the backup was made.`);
  }
  return { files, warnings };
}

/** All that a backup has of the database, from one snapshot. */
async function copyRows(archive: ArchiveWriter, options: BackupOptions) {
  const { pool, keysSecret, onProgress } = options;
  return withTransaction(
    pool,
    async (client) => {
      await client.query(COPY_SETTINGS);
      const migrations = await readAppliedMigrations(client);
      if (migrations.length === 0)
        throw new BackupError("There is nothing to back up: the database holds no Foyer.");
      const { rows } = await client.query<{ version: string }>(
        "SELECT current_setting('server_version') AS version",
      );
      const tables: ManifestTable[] = [];
      const { copied: listed, warnings } = toCopied(await listTables(client));
      for (const table of listed) {
        const rowsSql = await toRowsSql(client, table, options, warnings);
        const copied = await copyTable(client, archive, table, rowsSql);
        if (copied.row_count > 0) onProgress(`  ${table.name} ${format(copied.row_count)}`);
        tables.push(copied);
      }
      const [keys, named] = [await readKeyFiles(client, keysSecret), await listNamedFiles(client)];
      return { version: rows[0]?.version ?? "", migrations, tables, keys, named, warnings };
    },
    SNAPSHOT,
  );
}

/**
 * Rows, then files. No snapshot is open while files are read, which may take hours: it would keep vacuum from all that is deleted meanwhile, and
 * holds no file. One that is deleted then is named by a row of the backup and not in it, which is a warning.
 */
async function copyAll(archive: ArchiveWriter, options: BackupOptions): Promise<BackupReport> {
  const { migrations, tables, version, keys, named, warnings } = await copyRows(archive, options);
  const { files, warnings: lines } = await copyFiles(archive, keys, options);
  warnings.push(...lines, ...toMissing(named, files));
  const manifest: Manifest = {
    format_version: FORMAT_VERSION,
    app_version: options.appVersion,
    postgres_version: version,
    created_at: options.now.toISOString(),
    migrations,
    tables,
    files,
  };
  const bytes = Buffer.from(JSON.stringify(manifest, null, 1));
  await archive.add(MANIFEST_NAME, Readable.from([bytes]));
  const signer = await openSigner(options);
  await archive.add(SIGNATURE_NAME, Readable.from([Buffer.from(signer.sign(bytes))]));
  const rowCount = tables.reduce((sum, table) => sum + table.row_count, 0);
  const { publicKey } = signer;
  return { tableCount: tables.length, rowCount, fileCount: files.length, publicKey, warnings };
}

/**
 * Writes rows from one snapshot, files and keys into one archive, beside whoever uses the database. The file is there whole
 * or not at all.
 * @throws BackupError or what disk and database say
 */
export async function writeBackup(options: BackupOptions): Promise<BackupReport> {
  const archive = createArchive(options.file, options.now, options.stop);
  try {
    const report = await copyAll(archive, options);
    await archive.finish();
    return report;
  } finally {
    await archive.discard();
  }
}

/** Names of stored files and of people's pictures, and the folder they lie in. A column that an older version lacks is asked for nothing. */
const NAMED = [
  { table: "stored_file", columns: ["key"], folder: "files" },
  { table: "account_user", columns: ["avatar", "cover"], folder: "people" },
];

async function selectNames(db: Queryable, table: string, columns: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT DISTINCT value AS name FROM ${table} row, jsonb_each_text(to_jsonb(row)) AS field(name, value)
     WHERE field.name = ANY($1) AND value IS NOT NULL ORDER BY 1`,
    [columns],
  );
  return rows.map(({ name }) => name);
}

interface NamedFile {
  path: string;
  table: string;
}

async function listNamedFiles(db: Queryable): Promise<NamedFile[]> {
  const all: NamedFile[] = [];
  for (const { table, columns, folder } of NAMED)
    for (const name of await selectNames(db, table, columns))
      all.push({ path: `${folder}/${name.slice(0, 2)}/${name}`, table });
  return all;
}

/** A line for each file that rows name and that isn't among those given. */
function toMissing(named: readonly NamedFile[], files: readonly ManifestFile[]): string[] {
  const known = new Set(files.map(({ path }) => path));
  return named
    .filter(({ path }) => !known.has(path))
    .map(({ path, table }) => `${path} is named by ${table}, and the file isn't there.`);
}
