import { access } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseStartError } from "./embedded/start-error.ts";
import type { Queryable } from "./pool.ts";

/**
 * One database is one site: its processes share keys, by one data folder or by one KEYS_SECRET. Each holds a lock of PostgreSQL under
 * a number of its own, and a file of that name stands in its data folder. A process that doesn't find the file of another one has another
 * folder. The name of the connection has the fingerprint of the secret. Nothing of it is ever stale: the lock goes with the connection,
 * also after kill -9, and a file without its lock counts for nothing.
 */
export const LOCKS = 4_701_930;
const NAME = "foyer site";

/** Tells this database from every other, copies of it too. Nothing that is restored into it changes that. */
export async function readDatabaseName(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT (SELECT system_identifier FROM pg_control_system()) || ' ' || oid AS name
     FROM pg_database WHERE datname = current_database()`,
  );
  return rows[0]?.name ?? "";
}

/** Something that processes don't share as this one is set up. */
export interface Unshared {
  /** In words of the terminal. */
  what: string;
  /** What comes of it. */
  effect: string;
  /** What would share it. */
  setting: string;
  /** Processes with one data folder share it all the same. */
  isByFolder: boolean;
}

/** What a process has in common with others. */
export interface SharedBy {
  dataDir: string;
  /** Fingerprint of KEYS_SECRET; undefined: keys are in the data folder. */
  keys?: string | undefined;
  /** What another process on the database doesn't share, if there is one. */
  unshared?: readonly Unshared[];
}

/** What the connection that holds the lock is called. */
export const toConnectionName = ({ keys }: SharedBy) => (keys === undefined ? NAME : `${NAME} ${keys}`);

export interface Other {
  number: number;
  /** Null: by a socket of this machine. */
  address: string | null;
  since: string;
  /** Fingerprint of its KEYS_SECRET; null: it has none. */
  keys: string | null;
}

export const toFolder = (dataDir: string) => join(dataDir, "running");
/** Says that the process of that number has this data folder. */
export const toFile = (dataDir: string, number: number) => join(toFolder(dataDir), String(number));

/** But for the one whose connection `client` itself is. */
export async function selectOthers(client: Queryable): Promise<Other[]> {
  const { rows } = await client.query<Other>(
    `SELECT l.objid::bigint::integer AS number, host(a.client_addr) AS address,
       to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS since,
       nullif(substr(a.application_name, length($2) + 2), '') AS keys
     FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.classid = $1::oid AND l.objsubid = 2 AND l.granted AND l.pid <> pg_backend_pid()
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [LOCKS, NAME],
  );
  return rows;
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Those whose data folder is another one. */
async function findElsewhere(others: readonly Other[], dataDir: string): Promise<Other[]> {
  const found = await Promise.all(others.map(({ number }) => isThere(toFile(dataDir, number))));
  return others.filter((_, index) => !found[index]);
}

const toText = ({ since, address }: Other) =>
  `another Foyer uses this database since ${since} UTC (from ${address ?? "this machine"})`;

/**
 * Other keys are never let in, whatever else is shared: people would be signed out and codes in mails unreadable, for good.
 * @throws DatabaseStartError while a process with other keys uses the database
 */
export async function requireSameKeys(others: readonly Other[], { dataDir, keys }: SharedBy): Promise<void> {
  const [elsewhere] = await findElsewhere(
    others.filter((other) => other.keys === null),
    dataDir,
  );
  if (elsewhere && keys === undefined)
    throw new DatabaseStartError(
      `${toText(elsewhere)}, and its data folder isn't ${dataDir}.
Keys and files are in that folder: with two of them codes in mails can't be read, people are signed out and files are missing.
Stop the other one; or set KEYS_SECRET of both to one secret, so that the keys are in the database (README, "Keys in the database"); or set
FOYER_DATA_DIR of both to one folder that both reach; or give this one a database of its own in DATABASE_URL.`,
    );
  const other = others.find((one) => one.keys !== (keys ?? null));
  if (!other) return;
  const whose = other.keys === null ? "and has no KEYS_SECRET" : "and its KEYS_SECRET isn't this one's";
  throw new DatabaseStartError(
    `${toText(other)}, ${whose}.
With other keys codes in mails can't be read and people are signed out. Set KEYS_SECRET of all processes to one secret; where none has had one, stop them first.`,
  );
}

/** What isn't shared with these. */
export async function pickUnshared(
  others: readonly Other[],
  { dataDir, unshared = [] }: SharedBy,
): Promise<readonly Unshared[]> {
  const isElsewhere = (await findElsewhere(others, dataDir)).length > 0;
  return unshared.filter(({ isByFolder }) => (isByFolder ? isElsewhere : others.length > 0));
}

/** Of a database that other processes may use: how many there are, and what isn't shared with them. */
export async function examineSite(
  db: Queryable,
  shared: SharedBy,
): Promise<{ count: number; unshared: readonly Unshared[] }> {
  const others = await selectOthers(db);
  return { count: others.length, unshared: await pickUnshared(others, shared) };
}

/** A line for each thing that isn't shared, for the log. */
export function toWarning(other: Other, unshared: readonly Unshared[]): string {
  const lines = unshared.map(({ what, effect, setting }) => `  - ${what} (${effect}): ${setting}`);
  return `${toText(other)}. Not shared with it, and what to set in all processes:\n${lines.join("\n")}`;
}
