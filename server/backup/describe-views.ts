import type { Queryable } from "#server/db/pool.ts";

/** Views that read from tables, their partitions or Foyer's functions, and views that read from those, in an order to make them in. */
const VIEWS = `
  WITH RECURSIVE dropped(class, oid) AS (
    SELECT 'pg_class'::regclass, c.oid FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)
    UNION SELECT 'pg_class'::regclass, i.inhrelid FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)
    UNION SELECT 'pg_proc'::regclass, p.oid FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'foyer\\_%'
    UNION SELECT 'pg_class'::regclass, r.ev_class
    FROM dropped JOIN pg_depend d ON d.refclassid = dropped.class AND d.refobjid = dropped.oid AND d.classid = 'pg_rewrite'::regclass
    JOIN pg_rewrite r ON r.oid = d.objid)
  SELECT v.oid::regclass::text AS name, CASE v.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END AS kind,
    pg_get_viewdef(v.oid) AS definition
  FROM dropped JOIN pg_class v ON dropped.class = 'pg_class'::regclass AND v.oid = dropped.oid
  WHERE v.relkind IN ('v', 'm') ORDER BY v.oid`;

/** A line for each view of the owner's that goes with these tables, with the statement that makes it again. */
export async function describeViews(db: Queryable, tables: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string; kind: string; definition: string }>(VIEWS, [tables]);
  return rows.map(
    ({ name, kind, definition }) =>
      `The view ${name} went with the tables that it reads from. This makes it again:\nCREATE ${kind} ${name} AS\n${definition}`,
  );
}
