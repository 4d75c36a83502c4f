import { cp, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import type { Queryable } from "#server/db/pool.ts";
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

interface ForeignKey {
  child: string;
  column: string;
  parent_column: string;
  action: "c" | "n" | "d" | "a" | "r";
}

const FOREIGN_KEYS = `
  SELECT c.conrelid::regclass::text AS child, a.attname AS column, f.attname AS parent_column, c.confdeltype AS action
  FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
  JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[1]
  WHERE c.contype = 'f' AND c.confrelid = $1::regclass AND cardinality(c.conkey) = 1 AND c.conparentid = 0`;

/** Rows that point at one that is lost: what deleting it would have done to them. */
async function mendReferences(db: Queryable, table: string): Promise<string[]> {
  const parent = `public.${quoteName(table)}`;
  const { rows: keys } = await db.query<ForeignKey>(FOREIGN_KEYS, [parent]);
  const lines: string[] = [];
  for (const { child, column, parent_column, action } of keys) {
    const orphan = `${quoteName(column)} IS NOT NULL AND NOT EXISTS (SELECT FROM ${parent} p WHERE p.${quoteName(parent_column)} = ${child}.${quoteName(column)})`;
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

/**
 * Saves what can be read of damaged tables, and makes them whole again without the rest. PostgreSQL itself drops the pages and
 * writes the tables anew. The account has to be a superuser, as that of the supervised server is.
 * @returns lines for the owner; none: nothing was damaged
 */
export async function repairTables(pool: pg.Pool, onProgress: (line: string) => void): Promise<string[]> {
  const lines: string[] = [];
  for (const { table } of await findDamage(pool)) {
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
    lines.push(...(await mendReferences(pool, table)));
    const { rows } = await pool.query<{ count: string }>(`SELECT count(*) FROM ${name}`);
    lines.push(`${table}: ${rows[0]?.count ?? 0} rows are left.`);
  }
  return lines;
}
