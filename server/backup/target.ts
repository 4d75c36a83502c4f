import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readAppliedMigrations } from "#server/db/migrate.ts";
import { STANDSTILL_NAME } from "#server/db/one-site.ts";
import type { Queryable } from "#server/db/pool.ts";
import { listDataFiles } from "./data-folders.ts";
import { BackupError, type Manifest } from "./manifest.ts";
import { requireNoLeftovers } from "./stage-files.ts";

/** Tables that only people, not a first start, put rows into. */
const PEOPLE_TABLES = ["account_user", "contact_message"];
/** How the log calls what a first start puts in, and a restore itself. */
const OWN_DETAILS = ["sample", "first_start", "restore"];

async function hasTable(db: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await db.query("SELECT WHERE to_regclass($1) IS NOT NULL", [`public.${name}`]);
  return rowCount === 1;
}

async function hasPeopleRows(db: Queryable): Promise<boolean> {
  for (const name of PEOPLE_TABLES) {
    if (!(await hasTable(db, name))) continue;
    const { rowCount } = await db.query(`SELECT FROM ${name} LIMIT 1`);
    if (rowCount === 1) return true;
  }
  return false;
}

/** Whether anybody has put anything in: an empty database and one that only had its first start hold nothing. */
export async function holdsData(db: Queryable): Promise<boolean> {
  if (await hasPeopleRows(db)) return true;
  if ((await readAppliedMigrations(db)).length === 0) return hasTable(db, "content_type");
  const { rowCount } = await db.query(
    `SELECT FROM audit_entry
     WHERE action_type IN ('CREATE', 'UPDATE', 'DELETE') AND coalesce(detail, '') <> ALL ($1) LIMIT 1`,
    [OWN_DETAILS],
  );
  return rowCount === 1;
}

/** A connection that was just closed is listed for a moment longer. */
const LEAVING_TRIES = 10;
const LEAVING_EVERY_MS = 200;

/** What other processes of Foyer call their connections; null: there are none. */
async function findOthers(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ names: string | null }>(
    `SELECT string_agg(DISTINCT application_name, ', ') AS names FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'foyer%'
       AND application_name <> $1`,
    [STANDSTILL_NAME], // of which there is one at a time, the caller's own
  );
  return rows[0]?.names ?? null;
}

/** @throws BackupError while another process of Foyer uses the database. A folder's lock says so only of the supervised server. */
export async function requireAlone(db: Queryable, next = "restore"): Promise<void> {
  let names = await findOthers(db);
  for (let attempt = 1; names !== null && attempt < LEAVING_TRIES; attempt++) {
    await sleep(LEAVING_EVERY_MS);
    names = await findOthers(db);
  }
  if (names !== null) throw new BackupError(`A Foyer uses this database (${names}). Stop it, then ${next}.`);
}

async function listStoredPaths(db: Queryable): Promise<string[]> {
  if (!(await hasTable(db, "stored_file"))) return [];
  const { rows } = await db.query<{ key: string }>("SELECT key FROM stored_file");
  return rows.map(({ key }) => `files/${key.slice(0, 2)}/${key}`);
}

/**
 * Files of the data folder, and `stored` ones elsewhere, that a restore would take away: neither in the backup nor of the database that it replaces. Keys
 * don't count: a start makes one.
 * @throws BackupError where something is that no backup keeps, so that it would be lost
 */
async function listForeignFiles(
  db: Queryable,
  dataDir: string,
  stored: ReadonlySet<string>,
  manifest: Manifest,
): Promise<string[]> {
  const { paths, strange } = await listDataFiles(dataDir);
  if (strange.length > 0)
    throw new BackupError(
      `${join(dataDir, strange[0] ?? "")} is a link, or has a name that backups don't take${strange.length > 1 ? `; so do ${strange.length - 1} more` : ""}. Move it away, then restore.`,
    );
  const known = new Set([...manifest.files.map(({ path }) => path), ...(await listStoredPaths(db))]);
  const all = new Set([...paths, ...stored]);
  return [...all].filter((path) => !path.startsWith("keys/") && !known.has(path));
}

/**
 * Whether a restore would replace anything. Nobody else may use the database.
 * @throws BackupError when what it would replace can't be kept in a backup first
 */
export async function findReplaced(
  db: Queryable,
  dataDir: string,
  stored: ReadonlySet<string>,
  manifest: Manifest,
): Promise<{ isFilled: boolean; foreign: string[] }> {
  await requireAlone(db);
  await requireNoLeftovers(dataDir);
  const isFilled = await holdsData(db);
  const foreign = await listForeignFiles(db, dataDir, stored, manifest);
  return { isFilled, foreign };
}
