import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "../db/sql.ts";
import type { ArchiveReader } from "./archive-reader.ts";
import { BackupError } from "./backup-error.ts";
import { type Manifest, type ManifestTable, toRowsName } from "./manifest.ts";
import { stripTables } from "./strip-tables.ts";

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
    throw new BackupError(
      `${table.name} got ${sink.rowCount} rows, and the backup tells of ${table.row_count}.`,
    );
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
