import { appendFile, cp, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { quoteName } from "#server/db/sql.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { describeLoss, findDamage, findUnreadable } from "./damage.ts";
import { toStamp } from "./data-folders.ts";
import { toBackupsFolder } from "./former-state.ts";

/** Copies the stopped cluster as it is, damage and all: whoever knows more may get more out of it. @returns where to */
export async function copyCluster(dataDir: string, now: Date): Promise<string> {
  const folder = toBackupsFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, `before-repair-${toStamp(now)}`);
  // It may be a link to where another account keeps it.
  await cp(await realpath(join(dataDir, "postgres")), copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

/** Takes rows that are taken away to a file of lines of JSON, which it makes at the first one. @returns the file */
export type SaveRows = (table: string, rows: readonly unknown[]) => Promise<string>;

export function createRowFile(dataDir: string, now: Date): SaveRows {
  const file = join(toBackupsFolder(dataDir), `taken-by-repair-${toStamp(now)}.jsonl`);
  return async (table, rows) => {
    await mkdir(toBackupsFolder(dataDir), { recursive: true, mode: 0o700 });
    const lines = rows.map((row) => `${JSON.stringify({ table, row })}\n`);
    await appendFile(file, lines.join(""), { mode: 0o600, flush: true });
    return file;
  };
}

interface ForeignKey {
  /** As SQL takes it. */
  child: string;
  child_name: string;
  column: string;
  is_required: boolean;
  parent_column: string;
  action: "c" | "n" | "d" | "a" | "r";
}

const FOREIGN_KEYS = `
  SELECT c.conrelid::regclass::text AS child, r.relname AS child_name, a.attname AS column, a.attnotnull AS is_required, f.attname AS parent_column, c.confdeltype AS action
  FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
  JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[1]
  WHERE c.contype = 'f' AND c.confrelid = $1::regclass AND cardinality(c.conkey) = 1 AND c.conparentid = 0`;

/** Rows that can stand without what they pointed at neither whole nor empty: they go to the file, and what points at them is mended. */
async function takeAway(
  pool: pg.Pool,
  key: ForeignKey,
  orphan: string,
  saveRows: SaveRows,
): Promise<string[]> {
  const { child, child_name, column } = key;
  const line = await withTransaction(pool, async (client) => {
    // What points at these rows is mended below.
    await client.query("SET LOCAL session_replication_role = replica");
    const { rows } = await client.query<{ row: unknown }>(
      `DELETE FROM ${child} WHERE ${orphan} RETURNING to_jsonb(${child}) AS row`,
    );
    if (rows.length === 0) return undefined;
    const file = await saveRows(
      child_name,
      rows.map(({ row }) => row),
    );
    return `${child}.${column}: ${rows.length} rows that pointed at lost ones, and have to point at one, were taken away and are in ${file}.`;
  });
  return line === undefined ? [] : [line, ...(await mendReferences(pool, child_name, saveRows))];
}

/** Rows that point at one that is lost: what deleting it would have done to them. */
async function mendReferences(db: pg.Pool, table: string, saveRows: SaveRows): Promise<string[]> {
  const parent = `public.${quoteName(table)}`;
  const { rows: keys } = await db.query<ForeignKey>(FOREIGN_KEYS, [parent]);
  const lines: string[] = [];
  for (const key of keys) {
    const { child, column, is_required, parent_column, action } = key;
    const orphan = `${quoteName(column)} IS NOT NULL AND NOT EXISTS (SELECT FROM ${parent} p WHERE p.${quoteName(parent_column)} = ${child}.${quoteName(column)})`;
    if (is_required && action !== "c") {
      lines.push(...(await takeAway(db, key, orphan, saveRows)));
      continue;
    }
    const statement =
      action === "c"
        ? `DELETE FROM ${child} WHERE ${orphan}`
        : `UPDATE ${child} SET ${quoteName(column)} = NULL WHERE ${orphan}`;
    const { rowCount } = await db.query(statement);
    if (rowCount)
      lines.push(
        `${child}.${column}: ${rowCount} rows that pointed at lost ones were ${action === "c" ? "deleted" : "set free"}.`,
      );
  }
  return lines;
}

interface RepairOptions {
  onProgress(line: string): void;
  saveRows: SaveRows;
  /** Ends it between two tables. */
  stop?: AbortSignal | undefined;
}

/**
 * Saves what can be read of damaged tables, and makes them whole again without the rest. PostgreSQL itself drops the pages and
 * writes the tables anew. The account has to have repair rights (`db/embedded/app-role.ts`), or be a superuser.
 * @returns lines for the owner; none: nothing was damaged
 */
export async function repairTables(
  pool: pg.Pool,
  { onProgress, saveRows, stop }: RepairOptions,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { table } of await findDamage(pool)) {
    if (stop?.aborted) {
      lines.push(`The tables from ${table} on weren't looked at: ${stop.reason.message} Run it again.`);
      break;
    }
    onProgress(`Saving what is left of ${table}…`);
    const name = `public.${quoteName(table)}`;
    await withTransaction(pool, async (client) => {
      const lost = await findUnreadable(client, table);
      lines.push(describeLoss(table, lost));
      // Nothing hangs on rows whose values are gone: what points at them is mended below.
      await client.query("SET LOCAL session_replication_role = replica");
      for (const place of lost.rows) await client.query(`DELETE FROM ${name} WHERE ctid = $1::tid`, [place]);
    });
    // For this connection alone: the pool has one.
    await pool.query("SET zero_damaged_pages = on");
    await pool.query(`VACUUM (FULL) ${name}`);
    await pool.query("SET zero_damaged_pages = off");
    lines.push(...(await mendReferences(pool, table, saveRows)));
    const { rows } = await pool.query<{ count: string }>(`SELECT count(*) FROM ${name}`);
    lines.push(`${table}: ${rows[0]?.count ?? 0} rows are left.`);
  }
  return lines;
}
