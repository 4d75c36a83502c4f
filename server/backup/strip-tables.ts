import type { Queryable } from "#server/db/pool.ts";

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
 * table is told as ON ONLY, and makes its parts' only without that.
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
export async function stripTables(db: Queryable): Promise<string[]> {
  const { rows: keys } = await db.query<Removable>(FOREIGN_KEYS);
  for (const { remove } of keys) await db.query(remove);
  const { rows: indexes } = await db.query<Removable>(INDEXES);
  for (const { remove } of indexes) await db.query(remove);
  // A key may point to columns that only an index keeps unique.
  return [MEMORY, ...[...indexes, ...keys].map(({ restore }) => restore)];
}
