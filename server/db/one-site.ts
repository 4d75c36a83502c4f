import { randomInt } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { DatabaseStartError } from "./embedded/start-error.ts";
import { type Connection, type Queryable, toClientConfig } from "./pool.ts";
import {
  LOCKS,
  pickUnshared,
  requireSameKeys,
  type SharedBy,
  selectOthers,
  toConnectionName,
  toFile,
  toFolder,
  toWarning,
  type Unshared,
} from "./site-processes.ts";
import { MAX_INT4 } from "./sql.ts";

/** One process at a time looks and takes its lock. */
const GATE = 4_701_931;

const ANSWER_TIMEOUT_MS = 15_000;
/** Shorter, so that the server says that it is the gate that wasn't given. */
const GATE_TIMEOUT_MS = 14_000;
const NO_LOCK = "55P03";
/** What the connection of a command is called that wants the site to stand still. */
export const STANDSTILL_NAME = "foyer standstill";
const RETRY_DELAY_MS = 1_000;

/** Of the server's processes; an embedded server needs none of it: its folder has a lock. */
export interface SiteMembership {
  /** What isn't shared with the processes that run now; none where this is the only one. */
  listUnshared(): Promise<readonly Unshared[]>;
  leave(): Promise<void>;
}

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

function createClient(connection: Connection, name: string): pg.Client {
  return new pg.Client({
    ...toClientConfig(connection, name),
    keepAlive: true,
    query_timeout: ANSWER_TIMEOUT_MS,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
  });
}

/** Why the gate wasn't given, in words. */
async function sayWhoHoldsGate(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string; since: string; address: string | null }>(
    `SELECT a.application_name AS name, to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS since,
       host(a.client_addr) AS address
     FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.classid = 0 AND l.objid = $1::oid AND l.objsubid = 1 AND l.granted
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [GATE],
  );
  const [holder] = rows;
  if (!holder) return "Others start on this database just now. Start this again.";
  const where = `since ${holder.since} UTC (from ${holder.address ?? "this machine"})`;
  return holder.name === STANDSTILL_NAME
    ? `A restore, repair or move-files --remove runs on this database ${where}, and the site has to be stopped meanwhile. Start this again when it has ended.`
    : `Another Foyer, which starts on this database ${where}, holds up all others. End it, or wait; then start this again.`;
}

async function takeGate(client: pg.Client, timeoutMs: number): Promise<void> {
  try {
    await client.query("SELECT set_config('lock_timeout', $1, false)", [String(timeoutMs)]);
    await client.query("SELECT pg_advisory_lock($1)", [GATE]);
  } catch (error) {
    if ((error as { code?: string }).code !== NO_LOCK) throw error; // pg's errors have it
    throw new DatabaseStartError(await sayWhoHoldsGate(client), { cause: error });
  }
}

/** Does work on a connection while no other process comes in; the connection stays open where it answers. */
async function atGate(
  client: pg.Client,
  work: () => Promise<void>,
  { timeoutMs = GATE_TIMEOUT_MS, staysShut = false } = {},
): Promise<void> {
  try {
    await client.connect();
    // A machine that was switched off is found out in a minute: its lock must not stand in the way of the next one.
    await client.query(
      "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3",
    );
    await takeGate(client, timeoutMs);
    await work();
    if (!staysShut) await client.query("SELECT pg_advisory_unlock($1)", [GATE]);
  } catch (error) {
    await client.end().catch(() => undefined); // it may never have been open: the first fault says why
    throw error;
  }
}

/** While it stands no process of the site comes in, and no command. */
export interface Standstill {
  /** Aborted when its connection broke: others may come in. */
  lost: AbortSignal;
  end(): Promise<void>;
}

/** Shuts the gate for a command; who came in before is to be looked for behind it. @throws DatabaseStartError where it isn't given in time */
export async function holdGate(connection: Connection, timeoutMs?: number): Promise<Standstill> {
  const client = createClient(connection, STANDSTILL_NAME);
  const broken = new AbortController();
  const onLoss = () =>
    broken.abort(
      new DatabaseStartError(
        "The connection broke that keeps the site from starting meanwhile. Try it again.",
      ),
    );
  client.on("error", onLoss);
  client.on("end", onLoss);
  await atGate(client, async () => {}, { timeoutMs, staysShut: true });
  return {
    lost: broken.signal,
    async end() {
      client.off("end", onLoss);
      // Who waits comes in at once, and not when the server has noticed that the connection ended.
      await client.query("SELECT pg_advisory_unlock($1)", [GATE]).catch(() => undefined); // it may be broken
      await client.end();
    },
  };
}

/** For a command beside the server. @throws DatabaseStartError where the processes of the site have other keys */
export async function requireSameSite(connection: Connection, shared: SharedBy): Promise<void> {
  const client = createClient(connection, toConnectionName(shared));
  client.on("error", () => undefined); // the statement that fails says it
  await atGate(client, async () => requireSameKeys(await selectOthers(client), shared));
  await client.end();
}

/**
 * Joins the processes of the site that use this database, and stays one of them: a connection that broke is opened again. What
 * isn't shared with them goes to the log.
 * @throws DatabaseStartError while one of them has other keys, or a command holds the gate
 */
export async function joinSite(
  connection: Connection,
  shared: SharedBy,
  log: { warn(details: object, message: string): void },
  gateTimeoutMs?: number,
): Promise<SiteMembership> {
  const { dataDir } = shared;
  const number = randomInt(1, MAX_INT4);
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let hasLeft = false;

  async function join(): Promise<void> {
    const next = createClient(connection, toConnectionName(shared));
    const onLoss = () => lose(next);
    next.on("error", onLoss);
    next.on("end", onLoss);
    const enter = async () => {
      const others = await selectOthers(next);
      await requireSameKeys(others, shared);
      const unshared = await pickUnshared(others, shared);
      if (others[0] && unshared.length > 0) log.warn({}, toWarning(others[0], unshared));
      await writeMark(dataDir, number);
      await next.query("SELECT pg_advisory_lock($1, $2)", [LOCKS, number]);
      await removeStale(dataDir, [number, ...others.map((other) => other.number)]);
    };
    await atGate(next, enter, { timeoutMs: gateTimeoutMs });
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
    async listUnshared() {
      // While the connection is away nobody knows who else is there.
      return client ? pickUnshared(await selectOthers(client), shared) : [];
    },
    async leave() {
      hasLeft = true;
      clearTimeout(retry);
      await rm(toFile(dataDir, number), { force: true });
      await client?.end();
    },
  };
}
