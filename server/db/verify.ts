import { readFileSync } from "node:fs";
import { join } from "node:path";
import { is } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import { MIGRATIONS_FOLDER, readMigrationNames } from "./migrate.ts";
import type { Queryable } from "./pool.ts";
import { withTransaction } from "./transaction.ts";

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

/** What may refuse rows that were good without it, with the columns that it looks at. */
const NARROWING = `
  SELECT 'column ' || c.relname || '.' || a.attname AS name, ARRAY['table ' || c.relname] AS about
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''
  UNION ALL
  SELECT 'constraint ' || c.relname || '.' || k.conname, ${listColumns("k.conkey")}
  FROM pg_constraint k
  JOIN pg_class c ON c.oid = k.conrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND k.contype <> 'n'
  UNION ALL
  SELECT 'index ' || i.relname, ${listColumns("x.indkey::int2[]")}
  FROM pg_index x
  JOIN pg_class i ON i.oid = x.indexrelid
  JOIN pg_class c ON c.oid = x.indrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND x.indisunique
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = x.indexrelid AND k.conrelid = c.oid)`;

/** An expression, whose column has the number 0, counts as about the whole table. */
function listColumns(numbers: string): string {
  return `ARRAY(
    SELECT coalesce('column ' || c.relname || '.' || a.attname, 'table ' || c.relname)
    FROM unnest(${numbers}) AS n LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = n)`;
}

/**
 * Lines on what newer versions added and what would refuse this one's writes: a column without a default that must be filled, a rule over
 * columns that this version writes. What else they added is nothing to it.
 */
export async function findNarrowings(db: Queryable, expected: Catalog): Promise<string[]> {
  const known = new Set(Object.keys(expected));
  for (const name of Object.keys(expected))
    if (name.startsWith("column ")) known.add(`table ${name.slice("column ".length).split(".", 1)[0]}`);
  const { rows } = await db.query<{ name: string; about: string[] }>(NARROWING);
  return rows
    .filter(({ name, about }) => !known.has(name) && about.some((part) => known.has(part)))
    .map(({ name }) => `${name} is of a newer version, and would refuse what this one writes`);
}

/**
 * What no code of this version uses any more, by its name in the catalog (`column cv_link.note`, and whatever hangs on it), and what a
 * migration of the next version takes away: this one still starts without it. Its columns stay in the Drizzle tables until then.
 */
const LEAVING: readonly string[] = [];

/** Lines on what `actual` lacks or has otherwise than `expected`. What it has beyond is its owner's business. */
export function findCatalogFaults(
  expected: Catalog,
  actual: Catalog,
  leaving: readonly string[] = [],
): string[] {
  return Object.entries(expected)
    .filter(([name, definition]) => actual[name] !== definition)
    .filter(([name]) => actual[name] !== undefined || !leaving.includes(name))
    .map(([name, definition]) =>
      actual[name] === undefined
        ? `${name} is missing (expected: ${definition})`
        : `${name} is "${actual[name]}", expected "${definition}"`,
    );
}

/**
 * Compares the whole list of migrations with what the database was built from: by hash, not by the newest one only.
 * @returns a line for each difference, with the migration's name; and the moments of those that are newer than all of this version's.
 */
async function compareMigrations(db: Queryable): Promise<{ faults: string[]; newer: string[] }> {
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
  const newest = Math.max(...files.keys());
  const unknown = [...applied.keys()].filter((when) => !files.has(when));
  for (const when of unknown.filter((when) => when < newest))
    faults.push(
      `the database has a migration of ${new Date(when).toISOString()} that this version doesn't know`,
    );
  const newer = unknown.filter((when) => when > newest).map((when) => new Date(when).toISOString());
  return { faults, newer };
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
function findTableFaults(tables: readonly PgTable[], actual: Catalog, leaving: readonly string[]): string[] {
  return tables.flatMap((table) => {
    const config = getTableConfig(table);
    return config.columns.flatMap((column) => {
      const name = `column ${config.name}.${column.name}`;
      const found = actual[name];
      // PostgreSQL writes `numeric(5,2)` without a blank.
      const type = column.getSQLType().replaceAll(", ", ",");
      if (found === undefined && leaving.includes(name)) return [];
      if (found === undefined) return [`${name} is in the code and not in the database: npm run db:generate`];
      const isSame = found === type || found.startsWith(`${type} `);
      if (!isSame) return [`${name} is ${found} in the database and ${type} in the code`];
      return column.notNull === found.includes(" not null") ? [] : [`${name} differs in NOT NULL`];
    });
  });
}

/**
 * Compares migrations, catalog and tables with the code. A database that a newer version has migrated is good as long as that only added:
 * in an update both versions run, and the older one may start again, or be gone back to. All of it is read as of one moment: another process
 * may be migrating.
 * @returns the moments of migrations that are newer than all of this version's.
 * @throws SchemaMismatchError with every difference.
 */
export async function verifySchema(
  pool: Pick<pg.Pool, "connect">,
  tables: readonly PgTable[],
): Promise<readonly string[]> {
  const snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
  return withTransaction(pool, (db) => verifySchemaIn(db, tables), snapshot);
}

/** The same inside the caller's transaction, of which all statements have to see one moment. */
export async function verifySchemaIn(
  db: Queryable,
  tables: readonly PgTable[],
  leaving = LEAVING,
): Promise<readonly string[]> {
  const expected = JSON.parse(readFileSync(CATALOG_FILE, "utf8")) as Catalog; // our own file
  const actual = await readCatalog(db);
  const { faults: migrationFaults, newer } = await compareMigrations(db);
  const otherFaults = [
    ...findCatalogFaults(expected, actual, leaving),
    ...findTableFaults(tables, actual, leaving),
    ...(newer.length > 0 ? await findNarrowings(db, expected) : []),
  ];
  if (otherFaults.length > 0)
    for (const when of newer)
      migrationFaults.push(
        `the database has a migration of ${when} that this version doesn't know, and that changed what it needs`,
      );
  const faults = [...migrationFaults, ...otherFaults];
  if (faults.length > 0) throw new SchemaMismatchError(faults);
  return newer;
}
