import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import type { ArchiveReader } from "./archive.ts";
import { BackupError, type Manifest, type ManifestTable, toRowsName } from "./manifest.ts";

/** Before their rows: a part can't be made for rows that the default one has taken already. */
async function createPartitions(db: Queryable, { name: table, partitions }: ManifestTable): Promise<void> {
  for (const { name, from, to } of partitions) {
    const { rowCount } = await db.query("SELECT WHERE to_regclass($1) IS NULL", [
      `public.${quoteName(name)}`,
    ]);
    if (rowCount === 0) continue;
    await db.query(
      `CREATE TABLE public.${quoteName(name)} PARTITION OF public.${quoteName(table)}
       FOR VALUES FROM (${pg.escapeLiteral(from)}) TO (${pg.escapeLiteral(to)})`,
    );
  }
}

async function setSequences(db: Queryable, { name: table, sequences }: ManifestTable): Promise<void> {
  for (const { column, last_value, is_called } of sequences) {
    await db.query(
      "SELECT setval(pg_get_serial_sequence($1, $2), $3::bigint, $4) WHERE pg_get_serial_sequence($1, $2) IS NOT NULL",
      [`public.${quoteName(table)}`, column, last_value, is_called],
    );
  }
}

async function loadTable(
  client: pg.PoolClient,
  archive: ArchiveReader,
  table: ManifestTable,
  stop: AbortSignal | undefined,
): Promise<void> {
  const name = `public.${quoteName(table.name)}`;
  const columns = table.columns.map((column) => quoteName(column.name)).join(", ");
  const source = await archive.open(toRowsName(table.name), table);
  const sink = client.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN`));
  await pipeline(source, sink, { ...(stop && { signal: stop }) }).catch((error: unknown) => {
    throw stop?.aborted ? stop.reason : error;
  });
  if (sink.rowCount !== table.row_count)
    throw new BackupError(`${table.name} got ${sink.rowCount} rows, and the backup has ${table.row_count}.`);
}

/** Fills empty tables with a backup's rows, numbers and partitions. Inside the caller's transaction. */
export async function loadRows(
  client: pg.PoolClient,
  archive: ArchiveReader,
  { tables }: Manifest,
  { onProgress, stop }: { onProgress(line: string): void; stop: AbortSignal | undefined },
): Promise<void> {
  const restoring = await stripTables(client);
  for (const table of tables) {
    stop?.throwIfAborted();
    const name = `public.${quoteName(table.name)}`;
    await createPartitions(client, table);
    await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    await loadTable(client, archive, table, stop);
    await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    await setSequences(client, table);
    if (table.row_count > 0) onProgress(`  ${table.name} ${table.row_count.toLocaleString("en")}`);
  }
  onProgress("Building indexes…");
  for (const statement of restoring) {
    stop?.throwIfAborted();
    await client.query(statement);
  }
}

/** Statements that take a thing off a table and put it back on. */
interface Removable {
  remove: string;
  restore: string;
}

/** Checked for all rows at once when they come back: no order of tables, no circle and no right of a superuser matters then. */
const FOREIGN_KEYS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) AS remove,
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) AS restore
  FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
  WHERE c.contype = 'f' AND c.conparentid = 0 AND r.relnamespace = 'public'::regnamespace`;

/**
 * Those that are no constraint's own. Built over all rows they cost a fraction of what each row costs; one of a partitioned
 * table is written as ON ONLY, and makes its parts' only without that.
 */
const INDEXES = `
  SELECT format('DROP INDEX %s', x.indexrelid::regclass) AS remove,
         CASE WHEN i.relkind = 'I' THEN regexp_replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON ') ELSE pg_get_indexdef(i.oid) END AS restore
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
  WHERE i.relnamespace = 'public'::regnamespace AND NOT i.relispartition
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = x.indexrelid AND c.contype <> 'f')`;

/** For the building of indexes; PostgreSQL's own 64 MB make trigrams slow. */
const MEMORY = "SET LOCAL maintenance_work_mem = '256MB'";

/** Takes foreign keys and indexes off. Gives the statements that put them back, in their order. */
async function stripTables(db: Queryable): Promise<string[]> {
  const { rows: keys } = await db.query<Removable>(FOREIGN_KEYS);
  for (const { remove } of keys) await db.query(remove);
  const { rows: indexes } = await db.query<Removable>(INDEXES);
  for (const { remove } of indexes) await db.query(remove);
  // A key may point to columns that only an index keeps unique.
  return [MEMORY, ...[...indexes, ...keys].map(({ restore }) => restore)];
}
