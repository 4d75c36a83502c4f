import { readFileSync } from "node:fs";
import { join } from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { type Catalog, findCatalogFaults, readCatalog } from "./catalog.ts";
import { MIGRATIONS_FOLDER } from "./migrate.ts";
import type { Queryable } from "./pool.ts";
import { findMigrationFaults } from "./verify-migrations.ts";

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

/** Tables among the exports of `server/tables.ts`. */
export function selectTables(exports: Record<string, unknown>): PgTable[] {
  return Object.values(exports).filter((value) => is(value, PgTable));
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
