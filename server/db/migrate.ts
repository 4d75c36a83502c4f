import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type pg from "pg";
import type { Queryable } from "./pool.ts";

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
 * What drizzle would skip in silence (a migration older than the newest applied one) is caught by `verify.ts`.
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

/** A committed migration: the time that identifies it, its name, and the hash of its text. */
export interface Migration {
  when: number;
  name: string;
  hash: string;
}

/** The committed migrations in their order, with their statements. */
export function readMigrations(): (Migration & { statements: string[] })[] {
  const names = readMigrationNames();
  return readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map((file) => ({
    when: file.folderMillis,
    name: names.get(file.folderMillis) ?? String(file.folderMillis),
    hash: file.hash,
    statements: file.sql,
  }));
}

/** What a database was built from, oldest first; empty where Foyer was never. A migration that this version doesn't know is called by its time. */
export async function readAppliedMigrations(db: Queryable): Promise<Migration[]> {
  const { rows: found } = await db.query(
    "SELECT WHERE to_regclass('drizzle.__drizzle_migrations') IS NOT NULL",
  );
  if (found.length === 0) return [];
  const names = readMigrationNames();
  const { rows } = await db.query<{ created_at: string; hash: string }>(
    "SELECT created_at, hash FROM drizzle.__drizzle_migrations ORDER BY created_at",
  );
  return rows.map(({ created_at, hash }) => {
    const when = Number(created_at);
    return { when, name: names.get(when) ?? new Date(when).toISOString(), hash };
  });
}

/** Names of the migrations that a start would apply. */
export async function readPendingMigrations(db: Queryable): Promise<string[]> {
  const applied = new Set((await readAppliedMigrations(db)).map(({ when }) => when));
  return readMigrations()
    .filter(({ when }) => !applied.has(when))
    .map(({ name }) => name);
}

/**
 * Applies the committed migrations after one and up to another, inside the caller's transaction: drizzle's own function would
 * end it. The caller holds the lock of `lockMigrations`.
 */
export async function applyMigrationRange(
  db: Queryable,
  range: { after: number; until: number },
): Promise<void> {
  await db.query("CREATE SCHEMA IF NOT EXISTS drizzle");
  await db.query(
    "CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)",
  );
  for (const { when, hash, statements } of readMigrations()) {
    if (when <= range.after || when > range.until) continue;
    for (const statement of statements) await db.query(statement);
    await db.query("INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)", [
      hash,
      when,
    ]);
  }
}

/** Keeps other processes from migrating until the caller's transaction ends. */
export async function lockMigrations(db: Queryable): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
}
