import type { Queryable } from "#server/db/pool.ts";

/** A table as its rows are copied: generated columns make themselves. */
export interface CopiedTable {
  name: string;
  columns: { name: string; type: string }[];
  /** Columns of types that their owner made, or an extension. */
  ownTypes: { column: string; type: string }[];
  /** Columns whose numbers come from a sequence, with its quoted name. */
  sequences: { column: string; sequence: string }[];
  partitions: { name: string; from: string; to: string }[];
}

/**
 * Tables of the database's own schema, partitions through their parent. What is left out is built again by a start: the
 * search columns of large tables (decision 13) and the table that says how far they are. The site's keys are files in a backup, and who
 * does which work is a running site's.
 */
const TABLES = `
  SELECT c.relname AS name,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum), '[]')
     FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND NOT (a.attname = 'search' AND EXISTS (
         SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 'foyer_search_' || c.relname))) AS columns,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('column', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum), '[]')
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND t.typnamespace <> 'pg_catalog'::regnamespace) AS "ownTypes",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('column', a.attname, 'sequence', s.name) ORDER BY a.attnum), '[]')
     FROM pg_attribute a
     CROSS JOIN LATERAL pg_get_serial_sequence(quote_ident('public') || '.' || quote_ident(c.relname), a.attname) s(name)
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND s.name IS NOT NULL) AS sequences,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid)) ORDER BY p.relname), '[]')
     FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
     WHERE i.inhparent = c.oid AND p.relispartition) AS parts
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname NOT IN ('search_build', 'site_key', 'work_lease')
    -- Of an extension: it brings them itself.
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1`;

const BOUND = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/;

interface TableRow extends Omit<CopiedTable, "partitions"> {
  parts: { name: string; bound: string }[];
}

/** Ranges become partitions again; rows of any other part go where the restored table puts them. */
function toPartitions(parts: TableRow["parts"]): CopiedTable["partitions"] {
  return parts.flatMap(({ name, bound }) => {
    const [, from, to] = BOUND.exec(bound) ?? [];
    return from !== undefined && to !== undefined ? [{ name, from, to }] : [];
  });
}

export async function listTables(db: Queryable): Promise<CopiedTable[]> {
  const { rows } = await db.query<TableRow>(TABLES);
  return rows.map(({ parts, ...table }) => ({ ...table, partitions: toPartitions(parts) }));
}
