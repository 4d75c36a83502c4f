import { readFileSync } from "node:fs";
import { applyMigrationRange } from "#server/db/migrate.ts";
import type { Queryable } from "#server/db/pool.ts";
import { CATALOG_FILE } from "#server/db/verify.ts";
import { quoteName } from "../db/sql.ts";
import { describeViews } from "./describe-views.ts";
import { toKnownType } from "./known-type.ts";
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
