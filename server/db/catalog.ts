import type { Queryable } from "./pool.ts";

/** The shape of the database as PostgreSQL tells it: lines that can be compared and read. */
export type Catalog = Record<string, string>;

/**
 * Columns of the product's tables with type, nullability, default and generated expression.
 * Partitions repeat their parent and are left out.
 */
const COLUMNS = `
  SELECT 'column ' || c.relname || '.' || a.attname AS name,
         format_type(a.atttypid, a.atttypmod)
           || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
           || CASE WHEN a.attidentity <> '' THEN ' identity' ELSE '' END
           || CASE WHEN a.attgenerated = 's' THEN ' generated ' || pg_get_expr(d.adbin, d.adrelid)
                   WHEN d.adbin IS NOT NULL THEN ' default ' || pg_get_expr(d.adbin, d.adrelid) ELSE '' END AS definition
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;

/** Indexes with their order and operator classes, and whether they are usable. */
const INDEXES = `
  SELECT 'index ' || i.relname, CASE WHEN x.indisvalid THEN '' ELSE 'INVALID ' END || pg_get_indexdef(i.oid)
  FROM pg_index x
  JOIN pg_class i ON i.oid = x.indexrelid
  JOIN pg_class c ON c.oid = x.indrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition`;

/** Keys and checks. NOT NULL stands with the columns: PostgreSQL 18 lists it here too, 15 does not. */
const CONSTRAINTS = `
  SELECT 'constraint ' || c.relname || '.' || k.conname, pg_get_constraintdef(k.oid)
  FROM pg_constraint k
  JOIN pg_class c ON c.oid = k.conrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND k.contype <> 'n'`;

/** Functions of our own, by a hash of what they do. */
const FUNCTIONS = `
  SELECT 'function ' || p.proname, md5(p.prosrc)
  FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'foyer\\_%'`;

/** Reads the shape of the database's own schema. */
export async function readCatalog(db: Queryable): Promise<Catalog> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `${COLUMNS} UNION ALL ${INDEXES} UNION ALL ${CONSTRAINTS} UNION ALL ${FUNCTIONS} ORDER BY 1`,
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.definition]));
}

/** Lines on what `actual` lacks or has otherwise than `expected`. What it has beyond is its owner's business. */
export function findCatalogFaults(expected: Catalog, actual: Catalog): string[] {
  return Object.entries(expected)
    .filter(([name, definition]) => actual[name] !== definition)
    .map(([name, definition]) =>
      actual[name] === undefined
        ? `${name} is missing (expected: ${definition})`
        : `${name} is "${actual[name]}", expected "${definition}"`,
    );
}
