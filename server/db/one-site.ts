import { randomInt } from "node:crypto";
import { access, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { DatabaseStartError } from "./embedded/start-error.ts";
import { type Connection, type Queryable, toClientConfig } from "./pool.ts";
import { MAX_INT4 } from "./sql.ts";

/**
 * One database is one site: its processes share one data folder, with keys and files. Each holds a lock of PostgreSQL under a number
 * of its own, and a file of that name stands in its data folder. A process that doesn't find the files of all the others has another
 * folder. Nothing of it is ever stale: the lock goes with the connection, also after kill -9, and a file without its lock counts for nothing.
 */
const LOCKS = 4_701_930;
/** One process at a time looks and takes its lock. */
const GATE = 4_701_931;

const ANSWER_TIMEOUT_MS = 15_000;
const RETRY_DELAY_MS = 1_000;

/** Of the server's processes; an embedded server needs none of it: its folder has a lock. */
export interface SiteMembership {
  leave(): Promise<void>;
}

interface Other {
  number: number;
  /** Undefined: by a socket of this machine. */
  address: string | null;
  since: string;
}

const toFolder = (dataDir: string) => join(dataDir, "running");
const toFile = (dataDir: string, number: number) => join(toFolder(dataDir), String(number));

async function selectOthers(client: pg.Client): Promise<Other[]> {
  const { rows } = await client.query<Other>(
    `SELECT l.objid::bigint::integer AS number, host(a.client_addr) AS address,
       to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS since
     FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.classid = $1::oid AND l.objsubid = 2 AND l.granted AND l.pid <> pg_backend_pid()
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [LOCKS],
  );
  return rows;
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Whether another connection of this role to the database is older than a moment: a process that runs since before it has such ones. */
export async function isConnectedSince(db: Queryable, moment: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
       AND backend_type = 'client backend' AND backend_start < $1`,
    [moment.toISOString()],
  );
  return (rowCount ?? 0) > 0;
}

/** @throws DatabaseStartError while a process with another data folder uses the database */
async function requireOneFolder(others: readonly Other[], dataDir: string): Promise<void> {
  for (const { number, address, since } of others) {
    if (await isThere(toFile(dataDir, number))) continue;
    throw new DatabaseStartError(
      `another Foyer uses this database since ${since} UTC (from ${address ?? "this machine"}), and its data folder isn't ${dataDir}.
Keys and files are in that folder: with two of them codes in mails can't be read, people are signed out and files are missing.
Stop the other one; or set FOYER_DATA_DIR of both to one folder that both reach; or give this one a database of its own in DATABASE_URL.`,
    );
  }
}

/** Files of processes that ended without taking theirs along. */
async function removeStale(dataDir: string, living: readonly number[]): Promise<void> {
  const names = await readdir(toFolder(dataDir));
  for (const name of names)
    if (!living.includes(Number(name))) await rm(join(toFolder(dataDir), name), { force: true });
}

async function writeMark(dataDir: string, number: number): Promise<void> {
  try {
    await mkdir(toFolder(dataDir), { recursive: true });
    await writeFile(toFile(dataDir, number), "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // the system's errors have one
    throw new DatabaseStartError(`${dataDir} can't be written to (${code}): see FOYER_DATA_DIR.`, {
      cause: error,
    });
  }
}

function createClient(connection: Connection): pg.Client {
  return new pg.Client({
    ...toClientConfig(connection, "foyer site"),
    keepAlive: true,
    query_timeout: ANSWER_TIMEOUT_MS,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
  });
}

/** Does work on a connection while no other process comes in; the connection stays open where it answers. */
async function atGate(client: pg.Client, work: () => Promise<void>): Promise<void> {
  try {
    await client.connect();
    // A machine that was switched off is found out in a minute: its lock must not stand in the way of the next one.
    await client.query(
      "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3",
    );
    await client.query("SELECT pg_advisory_lock($1)", [GATE]);
    await work();
    await client.query("SELECT pg_advisory_unlock($1)", [GATE]);
  } catch (error) {
    await client.end().catch(() => undefined); // it may never have been open: the first fault says why
    throw error;
  }
}

/** For a command beside the server. @throws DatabaseStartError where the processes of the site have another data folder */
export async function requireSameFolder(connection: Connection, dataDir: string): Promise<void> {
  const client = createClient(connection);
  client.on("error", () => undefined); // the statement that fails says it
  await atGate(client, async () => requireOneFolder(await selectOthers(client), dataDir));
  await client.end();
}

/**
 * Joins the processes of the site that use this database, and stays one of them: a connection that broke is opened again.
 * @throws DatabaseStartError while one of them has another data folder
 */
export async function joinSite(
  connection: Connection,
  dataDir: string,
  log: { warn(details: object, message: string): void },
): Promise<SiteMembership> {
  const number = randomInt(1, MAX_INT4);
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let hasLeft = false;

  async function join(): Promise<void> {
    const next = createClient(connection);
    const onLoss = () => lose(next);
    next.on("error", onLoss);
    next.on("end", onLoss);
    await atGate(next, async () => {
      const others = await selectOthers(next);
      await requireOneFolder(others, dataDir);
      await writeMark(dataDir, number);
      await next.query("SELECT pg_advisory_lock($1, $2)", [LOCKS, number]);
      await removeStale(dataDir, [number, ...others.map((other) => other.number)]);
    });
    client = next;
  }

  function lose(broken: pg.Client): void {
    if (hasLeft || broken !== client) return;
    client = undefined;
    void broken.end().catch(() => undefined); // it is broken already
    joinLater();
  }

  function joinLater(): void {
    retry = setTimeout(() => {
      join().catch((error: unknown) => {
        if (hasLeft) return;
        // Another one came while the database was away: it was let in, so that it is this one that has to say so.
        if (error instanceof DatabaseStartError) log.warn({}, error.message);
        joinLater();
      });
    }, RETRY_DELAY_MS).unref();
  }

  await join();
  return {
    async leave() {
      hasLeft = true;
      clearTimeout(retry);
      await rm(toFile(dataDir, number), { force: true });
      await client?.end();
    },
  };
}
