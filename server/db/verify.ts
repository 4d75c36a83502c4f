import { readFileSync } from "node:fs";
import { join } from "node:path";
import { is } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { MIGRATIONS_FOLDER, readMigrationNames } from "./migrate.ts";
import type { Queryable } from "./pool.ts";

/** The shape of the database as PostgreSQL describes it: lines that can be compared and read. */
type Catalog = Record<string, string>;

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
function findCatalogFaults(expected: Catalog, actual: Catalog): string[] {
  return Object.entries(expected)
    .filter(([name, definition]) => actual[name] !== definition)
    .map(([name, definition]) =>
      actual[name] === undefined
        ? `${name} is missing (expected: ${definition})`
        : `${name} is "${actual[name]}", expected "${definition}"`,
    );
}

/**
 * Compares the whole list of migrations with what the database was built from: by hash, not by the newest one only.
 * @returns a line for each difference, with the migration's name.
 */
async function findMigrationFaults(db: Queryable): Promise<string[]> {
  const names = readMigrationNames();
  const files = new Map(
    readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map((file) => [file.folderMillis, file.hash]),
  );
  const { rows } = await db.query<{ created_at: string; hash: string }>(
    "SELECT created_at, hash FROM drizzle.__drizzle_migrations ORDER BY created_at",
  );
  const applied = new Map(rows.map((row) => [Number(row.created_at), row.hash]));
  const faults: string[] = [];
  for (const [when, hash] of files) {
    const name = names.get(when) ?? String(when);
    const known = applied.get(when);
    if (known === undefined)
      faults.push(`migration ${name} was never applied: a newer one was applied before it`);
    else if (known !== hash) faults.push(`migration ${name} was changed after it was applied`);
  }
  for (const when of applied.keys()) {
    if (!files.has(when))
      faults.push(
        `the database has a migration of ${new Date(when).toISOString()} that this version doesn't know`,
      );
  }
  return faults;
}

/** What the catalog must look like after all migrations; written by `npm run db:generate`. */
export const CATALOG_FILE = join(MIGRATIONS_FOLDER, "catalog.json");

/** The database and the code disagree. Stops the start; the message names each difference. */
export class SchemaMismatchError extends Error {
  override name = "SchemaMismatchError";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(
      `The database does not match this version of Foyer:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    );
    this.faults = faults;
  }
}

/** Tables among the exports of `server/tables.ts`, and in lists that it exports. */
export function selectTables(exports: Record<string, unknown>): PgTable[] {
  return Object.values(exports)
    .flat()
    .filter((value) => is(value, PgTable));
}

/** Lines on columns that the code's tables have and the catalog has not, or otherwise. */
function findTableFaults(tables: readonly PgTable[], actual: Catalog): string[] {
  return tables.flatMap((table) => {
    const config = getTableConfig(table);
    return config.columns.flatMap((column) => {
      const name = `column ${config.name}.${column.name}`;
      const found = actual[name];
      // PostgreSQL writes `numeric(5,2)` without a blank.
      const type = column.getSQLType().replaceAll(", ", ",");
      if (found === undefined) return [`${name} is in the code and not in the database: npm run db:generate`];
      const isSame = found === type || found.startsWith(`${type} `);
      if (!isSame) return [`${name} is ${found} in the database and ${type} in the code`];
      return column.notNull === found.includes(" not null") ? [] : [`${name} differs in NOT NULL`];
    });
  });
}

/**
 * Compares migrations, catalog and tables with the code.
 * @throws SchemaMismatchError with every difference.
 */
export async function verifySchema(db: Queryable, tables: readonly PgTable[]): Promise<void> {
  const expected = JSON.parse(readFileSync(CATALOG_FILE, "utf8")) as Catalog; // our own file
  const actual = await readCatalog(db);
  const faults = [
    ...(await findMigrationFaults(db)),
    ...findCatalogFaults(expected, actual),
    ...findTableFaults(tables, actual),
  ];
  if (faults.length > 0) throw new SchemaMismatchError(faults);
}
