import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type pg from "pg";

export const MIGRATIONS_FOLDER = join(import.meta.dirname, "migrations");
/** Any number, the same in every version: the advisory lock under which one process migrates. */
const MIGRATION_LOCK = 4_701_920;

/** Names of the committed migrations by the time that identifies them in the database. */
export function readMigrationNames(): Map<number, string> {
  const journal: unknown = JSON.parse(readFileSync(join(MIGRATIONS_FOLDER, "meta", "_journal.json"), "utf8"));
  const { entries } = journal as { entries: { when: number; tag: string }[] }; // drizzle-kit's own file
  return new Map(entries.map((entry) => [entry.when, entry.tag]));
}

/**
 * Applies the migrations that the database hasn't seen, all in one transaction, while no other process does the same.
 * What drizzle would skip in silence (a migration older than the newest applied one) is caught by `verify-migrations.ts`.
 */
export async function applyMigrations(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    try {
      await migrate(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER });
    } finally {
      await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    }
  } finally {
    client.release();
  }
}
