import { readFileSync } from "node:fs";
import pg from "pg";
import { applyMigrationRange } from "#server/db/migrate.ts";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import { CATALOG_FILE } from "#server/db/verify.ts";
import { listTables } from "./list-tables.ts";
import type { Manifest, ManifestTable } from "./manifest.ts";

/** Tables of this version, and those that the backup brings. What else its owner put there stays. */
function listNames(manifest: Manifest): string[] {
  const catalog = Object.keys(JSON.parse(readFileSync(CATALOG_FILE, "utf8")) as object); // our own file
  const ours = catalog.flatMap((line) => /^column ([^.]+)\./.exec(line)?.[1] ?? []);
  return [...new Set([...ours, ...manifest.tables.map(({ name }) => name), "search_build"])];
}

/** Gives a line for each view that went with the tables it reads from. */
async function dropSchema(db: Queryable, manifest: Manifest): Promise<string[]> {
  const names = listNames(manifest);
  const lines = await describeViews(db, names);
  const tables = names.map((name) => `public.${quoteName(name)}`);
  await db.query(`DROP TABLE IF EXISTS ${tables.join(", ")} CASCADE`);
  await db.query("DROP SCHEMA IF EXISTS drizzle CASCADE");
  const { rows } = await db.query<{ name: string }>(
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'foyer\\_%'`,
  );
  for (const { name } of rows) await db.query(`DROP FUNCTION IF EXISTS ${name} CASCADE`);
  return lines;
}

/** Tables and columns that an owner had added come back bare. Gives a line for each. */
async function addOwnersOwn(db: Queryable, tables: readonly ManifestTable[]): Promise<string[]> {
  const present = new Map((await listTables(db)).map((table) => [table.name, table]));
  const lines: string[] = [];
  for (const { name, columns } of tables) {
    const known = present.get(name);
    const missing = columns.filter((column) => !known?.columns.some((other) => other.name === column.name));
    if (missing.length === 0) continue;
    const added = [];
    for (const column of missing) {
      const type = await toKnownType(db, column.type);
      if (type !== column.type)
        lines.push(`${name}.${column.name} came back as ${type}, and was ${column.type}.`);
      added.push(`${quoteName(column.name)} ${type}`);
    }
    if (!known) {
      await db.query(`CREATE TABLE public.${quoteName(name)} (${added.join(", ")})`);
      lines.push(`${name} is no table of Foyer's: it came back without keys, defaults and indexes.`);
    } else {
      const parts = added.map((column) => `ADD COLUMN ${column}`);
      await db.query(`ALTER TABLE public.${quoteName(name)} ${parts.join(", ")}`);
      const names = missing.map((column) => column.name).join(", ");
      lines.push(`${name}: ${names} came back without defaults and indexes: Foyer has no such columns.`);
    }
  }
  return lines;
}

/**
 * Makes the tables anew, empty, as they were when the backup was made. Inside the caller's transaction, so that a fault later
 * on brings back what was there. Gives lines on what is not Foyer's.
 */
export async function rebuildSchema(db: Queryable, manifest: Manifest): Promise<string[]> {
  const views = await dropSchema(db, manifest);
  await applyMigrationRange(db, { after: 0, until: manifest.migrations.at(-1)?.when ?? 0 });
  const lines = [...views, ...(await addOwnersOwn(db, manifest.tables))];
  // Migrations put rows in; those of the backup are what came of them.
  const tables = manifest.tables.map(({ name }) => `public.${quoteName(name)}`);
  await db.query(`TRUNCATE ${tables.join(", ")}`);
  return lines;
}

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
async function describeViews(db: Queryable, tables: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string; kind: string; definition: string }>(VIEWS, [tables]);
  return rows.map(
    ({ name, kind, definition }) =>
      `The view ${name} went with the tables that it reads from. This makes it again:\nCREATE ${kind} ${name} AS\n${definition}`,
  );
}

/** Lengths and precisions: `(10)`, `(8,2)`. */
const MODIFIER = /\(\d+(?:,-?\d+)?\)/;
const SYNTAX_ERROR = "42601";

interface TypeNames {
  /** As SQL of a column without length: `bpchar`, where `character` alone would be one character. */
  bare: string | null;
  name: string | null;
}

async function readNames(db: Queryable, type: string): Promise<TypeNames | undefined> {
  await db.query("SAVEPOINT known_type");
  try {
    const { rows } = await db.query<TypeNames>(
      "SELECT format_type(to_regtype($1), -1) AS bare, to_regtype($1)::text AS name",
      [type],
    );
    return rows[0];
  } catch (error) {
    // A name that only another PostgreSQL, or an extension that is missing here, can read.
    if (!(error instanceof pg.DatabaseError) || error.code !== SYNTAX_ERROR) throw error;
    await db.query("ROLLBACK TO SAVEPOINT known_type");
    return undefined;
  }
}

/**
 * A type by the name that the backup gives, as PostgreSQL itself writes it: that text becomes SQL. A type that isn't there
 * becomes text, which holds the values of any. Inside the caller's transaction.
 */
async function toKnownType(db: Queryable, type: string): Promise<string> {
  const names = await readNames(db, type);
  if (!names?.bare) return "text";
  // Its own name and digits: nothing else is in it.
  return MODIFIER.test(type) && type.replace(MODIFIER, "") === names.name ? type : names.bare;
}
