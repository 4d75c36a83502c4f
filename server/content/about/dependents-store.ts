import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";

/** Tables of one deletion are looked at to this depth: a longer chain of cascades would be a fault of the tables. */
const MAX_DEPTH = 12;
/** Rows of one table are counted up to here. */
export const COUNTED_MAX = 10_000;

/** A foreign key as the database knows it. */
export interface Reference {
  /** The table that refers, and its column. */
  table: string;
  column: string;
  /** The table that is referred to, and its column. */
  to_table: string;
  to_column: string;
  effect: "delete" | "detach" | "refuse";
}

/** Every foreign key of one column between the tables of the product. A partition's keys are its parent's. */
export async function selectReferences(db: Queryable): Promise<Reference[]> {
  const { rows } = await db.query<Reference>(
    `SELECT source.relname AS table, source_column.attname AS column, target.relname AS to_table,
       target_column.attname AS to_column,
       CASE c.confdeltype WHEN 'c' THEN 'delete' WHEN 'n' THEN 'detach' WHEN 'd' THEN 'detach' ELSE 'refuse' END AS effect
     FROM pg_constraint c
     JOIN pg_class source ON source.oid = c.conrelid AND source.relnamespace = 'public'::regnamespace
     JOIN pg_class target ON target.oid = c.confrelid
     JOIN pg_attribute source_column ON source_column.attrelid = c.conrelid AND source_column.attnum = c.conkey[1]
     JOIN pg_attribute target_column ON target_column.attrelid = c.confrelid AND target_column.attnum = c.confkey[1]
     WHERE c.contype = 'f' AND c.conparentid = 0 AND cardinality(c.conkey) = 1
     ORDER BY source.relname, source_column.attname`,
  );
  return rows;
}

/** Rows of a table that a deletion reaches by one chain of foreign keys. */
export interface Reached {
  reference: Reference;
  /** SQL of a query of those rows, over the parameters of the first rows. */
  rows: string;
}

/** Rows that refer to `parentRows`; where a table refers to itself and goes along, also those that refer to these, and so on. */
function referringSql({ table, column, to_table, to_column, effect }: Reference, parentRows: string): string {
  const [name, from, to] = [table, column, to_column].map(quoteName);
  const first = `d.${from} IN (SELECT p.${to} FROM (${parentRows}) p)`;
  if (table !== to_table || effect !== "delete") return `SELECT d.* FROM ${name} d WHERE ${first}`;
  return `SELECT d.* FROM ${name} d WHERE d.${to} IN (
    WITH RECURSIVE down(key) AS (
      SELECT d.${to} FROM ${name} d WHERE ${first} UNION SELECT d.${to} FROM ${name} d JOIN down ON d.${from} = down.key
    ) SELECT key FROM down)`;
}

/**
 * What a deletion of `rows` (SQL of a query of whole rows of `table`) reaches, level by level through cascades. A circle of
 * tables is followed once round.
 */
export function findReached(references: readonly Reference[], table: string, rows: string): Reached[] {
  const reached: Reached[] = [];
  const follow = (parent: string, parentRows: string, path: readonly string[]) => {
    for (const reference of references.filter(({ to_table }) => to_table === parent)) {
      const referring = referringSql(reference, parentRows);
      // What is deleted anyway is not taken along.
      const found =
        reference.table === table
          ? `SELECT o.* FROM (${referring}) o WHERE o.id NOT IN (SELECT f.id FROM (${rows}) f)`
          : referring;
      reached.push({ reference, rows: found });
      if (reference.effect === "delete" && !path.includes(reference.table) && path.length < MAX_DEPTH)
        follow(reference.table, found, [...path, reference.table]);
    }
  };
  follow(table, rows, [table]);
  return reached;
}

/** How many rows each chain reaches, each counted up to a bound; one statement. */
export async function countReached(
  db: Queryable,
  reached: readonly Reached[],
  values: readonly unknown[],
): Promise<number[]> {
  if (reached.length === 0) return [];
  const counts = reached.map(
    ({ rows }) => `(SELECT count(*) FROM (SELECT FROM (${rows}) r LIMIT ${COUNTED_MAX}) n)::integer`,
  );
  const { rows } = await db.query<{ counts: number[] }>(`SELECT ARRAY[${counts.join(", ")}] AS counts`, [
    ...values,
  ]);
  return rows[0]?.counts ?? [];
}
