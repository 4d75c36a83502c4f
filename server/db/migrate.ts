import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type pg from "pg";
import { DatabaseStartError } from "./embedded/start-error.ts";
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
 * A change of a table waits for whoever reads it, and all who come later wait behind it. A dump reads for minutes: so a site that
 * runs on the database stands still for no longer than this.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** Between two tries, so that those who waited get their turn. */
const LOCK_PAUSE_MS = 5_000;
/** With pauses some seven minutes. */
const LOCK_TRIES = 60;

/** How often and how long tables are waited for. */
export interface LockPatience {
  timeoutMs?: number;
  tries?: number;
  pause?: () => Promise<unknown>;
}

/** A lock wasn't given in time; two transactions waited for each other, and this one was ended. */
const LOCK_FAULTS: readonly unknown[] = ["55P03", "40P01"];

/** Whether a fault, or what it came of, is a table that others use. */
function isLockFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && LOCK_FAULTS.includes(error.code)) || isLockFault(error.cause);
}

/** Who holds tables of the site's, in words; the oldest transaction first. What other accounts do isn't shown to everybody. */
async function listHolders(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ line: string }>(
    `SELECT format('process %s%s%s, on %s', a.pid, ' (' || nullif(a.application_name, '') || ')',
       ' since ' || to_char(a.xact_start AT TIME ZONE 'UTC', 'HH24:MI:SS "UTC"'),
       CASE count(DISTINCT c.oid) WHEN 1 THEN min(c.relname) ELSE count(DISTINCT c.oid) || ' tables' END) AS line
     FROM pg_locks l JOIN pg_stat_activity a USING (pid) JOIN pg_class c ON c.oid = l.relation
     WHERE l.granted AND l.pid <> pg_backend_pid() AND c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
     GROUP BY a.pid, a.application_name, a.xact_start ORDER BY a.xact_start LIMIT 3`,
  );
  return rows.map(({ line }) => line).join("; ") || "a transaction that has ended since";
}

/**
 * Does work that changes tables, anew as long as somebody holds one of them. `work` waits for no lock longer than it is told, and goes on from
 * what it has committed. `db` tells who it is. @throws DatabaseStartError once it has tried for long enough
 */
export async function withLockPatience(
  db: Queryable,
  work: (timeoutMs: number) => Promise<void>,
  log: { warn(details: object, message: string): void },
  { timeoutMs = LOCK_TIMEOUT_MS, tries = LOCK_TRIES, pause = () => sleep(LOCK_PAUSE_MS) }: LockPatience = {},
): Promise<void> {
  for (let count = 1; ; count++) {
    try {
      return await work(timeoutMs);
    } catch (error) {
      if (!isLockFault(error)) throw error;
      const holders = await listHolders(db);
      if (count >= tries)
        throw new DatabaseStartError(
          `The database can't be brought up to this version: tables that change are in use (${holders}).\nWait until that has ended, for instance a dump; or end it with pg_terminate_backend. Then start again.`,
          { cause: error },
        );
      log.warn({ tries: count }, `migrations wait for tables that are in use: ${holders}`);
    }
    await pause();
  }
}

/** Does work while no other process migrates, or gives rights for it and takes them back. */
export async function withMigrationLock(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    // Another process may migrate for long: it is waited for without a limit, and holds nobody up.
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    try {
      await work(client);
    } finally {
      await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    }
  } finally {
    client.release();
  }
}

/**
 * Applies the migrations that the database hasn't seen, all in one transaction. What has to wait longer for a table ends with 55P03, and nothing of it
 * stays. What drizzle would skip in silence (a migration older than the newest applied one) is caught by `verify.ts`.
 */
export function applyMigrations(
  pool: pg.Pool,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
  withRights: (work: () => Promise<void>) => Promise<void> = (work) => work(),
): Promise<void> {
  return withMigrationLock(pool, async (client) => {
    await client.query("SELECT set_config('lock_timeout', $1, false)", [String(lockTimeoutMs)]);
    try {
      await withRights(() => migrate(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER }));
    } finally {
      await client.query("RESET lock_timeout");
    }
  });
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
