import type { PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import { type ChangeFeed, openChangeFeed } from "./change-feed.ts";
import { checkServer, toStartError } from "./check-server.ts";
import type { RunAs } from "./embedded/account.ts";
import { type AdminConnection, keepLog, withLogRights, withRepairRights } from "./embedded/app-role.ts";
import { CLUSTER_USER } from "./embedded/cluster.ts";
import { findRunning } from "./embedded/connection.ts";
import { DatabaseStartError } from "./embedded/start-error.ts";
import { startEmbedded } from "./embedded/supervisor.ts";
import { canChangeLog, NO_RIGHTS, openLogRights, type Rights } from "./log-owner.ts";
import {
  applyMigrations,
  type LockPatience,
  readAppliedMigrations,
  readPendingMigrations,
  withLockPatience,
  withMigrationLock,
} from "./migrate.ts";
import { joinSite, requireSameSite, type SiteMembership } from "./one-site.ts";
import { type Connection, createPool } from "./pool.ts";
import type { SharedBy, Unshared } from "./site-processes.ts";
import { verifySchema } from "./verify.ts";

/** Statements of requests that take longer are ended by PostgreSQL. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** Those that wait for a row longer are ended before: the people who wait for one row must not hold every connection. */
const LOCK_TIMEOUT_MS = 5_000;

export interface DatabaseLog {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The product's PostgreSQL, migrated and compared with the code. */
export interface Database {
  /** PostgreSQL's version, for instance "18.4". */
  version: string;
  isEmbedded: boolean;
  /** Whether the site's account can do more with the audit log than add to it and read it. */
  canChangeLog: boolean;
  /** For what needs connections of its own. */
  connection: Connection;
  /** For requests. */
  pool: pg.Pool;
  /** Two connections for exports, without a statement timeout. */
  exportPool: pg.Pool;
  feed: ChangeFeed;
  /** Resolves when the supervised server ended by itself; never where the server is not ours. */
  died: Promise<{ reason: string }>;
  /** What isn't shared with other processes on the database that run now; none where this is the only one. */
  listUnshared(): Promise<readonly Unshared[]>;
  close(): Promise<void>;
}

export interface DatabaseOptions extends SharedBy {
  databaseUrl: string | undefined;
  /** DATABASE_OWNER_URL: who owns the audit log of such a database; undefined: the account of `databaseUrl` itself. */
  databaseOwnerUrl?: string | undefined;
  databaseUser: string | undefined;
  /** One of several processes of this machine: their launcher started the built-in server. */
  launched?: { isJoining: boolean } | undefined;
  /** Whom this process, which is root, will become. */
  reader?: RunAs;
  tables: readonly PgTable[];
  log: DatabaseLog;
  onProgress(step: string): void;
  /** A command beside the server: it joins nothing, and is refused with other keys than the server's. */
  isCommand?: boolean;
  /** Called before migrations of a database that Foyer used before; a throw stops the start, and nothing is migrated. */
  beforeMigrations?: (pool: pg.Pool, pending: readonly string[]) => Promise<void>;
  /** For tests: how migrations wait for tables that others use. */
  lockPatience?: LockPatience;
}

interface Server {
  connection: Connection;
  isEmbedded: boolean;
  /** Another process has prepared the database. */
  isPrepared?: boolean;
  died: Promise<{ reason: string }>;
  rights: Rights;
  stop(): Promise<void>;
}

const NEVER = new Promise<never>(() => {});

/** What a server needs, whatever is in it. */
export type ServerOptions = Omit<DatabaseOptions, "tables" | "beforeMigrations">;

async function openServer(options: ServerOptions): Promise<Server> {
  const { databaseUrl, databaseOwnerUrl, databaseUser, reader, dataDir, launched, log, onProgress } = options;
  if (databaseUrl) {
    const logRights = openLogRights(databaseUrl, databaseOwnerUrl);
    return {
      connection: { connectionString: databaseUrl },
      isEmbedded: false,
      died: NEVER,
      // What else it may do its administrator says.
      rights: { ...logRights, withRepairRights: logRights.withLogRights },
      stop: async () => {},
    };
  }
  if (launched) return joinEmbedded(dataDir, launched);
  const embedded = await startEmbedded({
    dataDir,
    ...(databaseUser !== undefined && { databaseUser }),
    ...(reader && { reader }),
    log: { info: (message) => log.debug({}, message), warn: (message) => log.warn({}, message) },
    onProgress,
  });
  return {
    connection: embedded.connection,
    isEmbedded: true,
    died: embedded.died,
    rights: toAdminRights(embedded.adminConnection),
    stop: () => embedded.stop(),
  };
}

const toAdminRights = (admin: AdminConnection): Rights => ({
  keepLog: () => keepLog(admin),
  withLogRights: (work) => withLogRights(admin, work),
  withRepairRights: (work) => withRepairRights(admin, work),
});

/** The server that the launcher of several processes started, and ends behind them. The first of them prepares the database. */
async function joinEmbedded(dataDir: string, { isJoining }: { isJoining: boolean }): Promise<Server> {
  const connection = await findRunning(dataDir);
  if (!connection)
    throw new DatabaseStartError("The database of the process that started this one doesn't answer.");
  const rights = isJoining ? NO_RIGHTS : toAdminRights({ ...connection, user: CLUSTER_USER });
  return { connection, isEmbedded: true, isPrepared: isJoining, died: NEVER, rights, stop: async () => {} };
}

/** Logs connections that break while nobody uses them. */
function toErrorSink(log: DatabaseLog): (error: Error) => void {
  return (error) => log.warn({ err: error }, "an idle database connection broke");
}

/** Brings the schema up to this version and compares it; on a pool of its own, because migrations may take long. */
async function prepareSchema(
  { connection, isPrepared, rights }: Server,
  options: DatabaseOptions,
): Promise<{ version: string; canChangeLog: boolean }> {
  const { databaseOwnerUrl, tables, log, beforeMigrations, lockPatience } = options;
  const pool = createPool(connection, { name: "foyer migrations", max: 1, onError: toErrorSink(log) });
  try {
    const version = await checkServer(pool);
    const pending = await readPendingMigrations(pool);
    if (pending.length > 0 && isPrepared)
      throw new DatabaseStartError(
        "The program was updated while the site runs: stop it and start it again, so that its database is brought up to this version.",
      );
    if (pending.length > 0 && (await readAppliedMigrations(pool)).length > 0)
      await beforeMigrations?.(pool, pending);
    const bringUp = (timeoutMs: number) => {
      if (pending.length > 0)
        return applyMigrations(pool, timeoutMs, (work) => rights.withLogRights(work, timeoutMs));
      // What an owner's account does to the log would take it away under another one's migration.
      const keepLog = () => rights.keepLog(timeoutMs);
      return databaseOwnerUrl ? withMigrationLock(pool, keepLog) : keepLog();
    };
    await withLockPatience(pool, bringUp, log, lockPatience);
    const newer = await verifySchema(pool, tables);
    if (newer.length > 0)
      log.warn(
        { migrations: newer },
        "a newer version of Foyer has migrated this database: it only added, so this version runs on it as well",
      );
    return { version, canChangeLog: await canChangeLog(pool) };
  } finally {
    await pool.end();
  }
}

/**
 * Opens the database: the supervised server of the data folder, or the one of `DATABASE_URL`; the same code from there on.
 * @throws DatabaseStartError or SchemaMismatchError, whose messages are meant for the owner's terminal.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { log } = options;
  const server = await openServer(options);
  const { connection } = server;
  const report = toErrorSink(log);
  let isClosing = false;
  // A pool ends before its last socket does: an error that the server sends on it while it stops is no fault.
  const onError = (error: Error) => {
    if (!isClosing) report(error);
  };
  let site: SiteMembership | undefined;
  try {
    site = await enterSite(server, options);
    const prepared = await prepareSchema(server, options);
    const feed = await openChangeFeed(connection, log);
    const pool = createPool(connection, {
      name: "foyer",
      max: 12,
      onError,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    });
    const exportPool = createPool(connection, { name: "foyer exports", max: 2, onError });
    return {
      ...prepared,
      isEmbedded: server.isEmbedded,
      connection,
      pool,
      exportPool,
      feed,
      died: server.died,
      listUnshared: async () => (await site?.listUnshared()) ?? [],
      async close() {
        isClosing = true;
        await feed.close();
        await Promise.all([pool.end(), exportPool.end()]);
        await site?.leave();
        await server.stop();
      },
    };
  } catch (error) {
    await site?.leave();
    await server.stop();
    throw toStartError(error);
  }
}

/** Two embedded servers of one folder are kept apart by its lock; any other database may be that of several processes. */
async function enterSite(
  { connection, isEmbedded }: Server,
  options: DatabaseOptions,
): Promise<SiteMembership | undefined> {
  if (isEmbedded) return undefined;
  if (!options.isCommand) return joinSite(connection, options, options.log);
  await requireSameSite(connection, options);
  return undefined;
}

/** `isBeside`: it is the built-in server of a process that runs. Those of other databases are known by their locks. */
type CommandDatabase = Pick<Database, "pool" | "exportPool" | "close"> & { isBeside: boolean };

/** A pool for the command line: of the server that runs beside it, else of a database opened for this command. */
export async function openForCommand(options: DatabaseOptions): Promise<CommandDatabase> {
  const running = options.databaseUrl ? undefined : await findRunning(options.dataDir);
  if (!running) return { ...(await openDatabase({ ...options, isCommand: true })), isBeside: false };
  const pool = createPool(running, { name: "foyer command", max: 2, onError: toErrorSink(options.log) });
  try {
    await verifySchema(pool, options.tables);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { pool, exportPool: pool, isBeside: true, close: () => pool.end() };
}

/** A PostgreSQL as backup and restore need it: reachable, and neither migrated nor compared. */
export interface BareServer {
  connection: Connection;
  /** PostgreSQL's version, for instance "18.4". */
  version: string;
  /** Of a server that runs besides, none. */
  rights: Rights;
  close(): Promise<void>;
}

/**
 * Opens the PostgreSQL of the data folder or of `DATABASE_URL` as it is. `besideServer`: the one that a running Foyer has is
 * good; without it a running one is refused by the folder's lock.
 * @throws DatabaseStartError
 */
export async function openBareServer(
  options: ServerOptions,
  { besideServer }: { besideServer: boolean },
): Promise<BareServer> {
  const running = besideServer && !options.databaseUrl ? await findRunning(options.dataDir) : undefined;
  const server = running
    ? { connection: running, rights: NO_RIGHTS, stop: async () => {} }
    : await openServer(options);
  const pool = createPool(server.connection, {
    name: "foyer command",
    max: 1,
    onError: toErrorSink(options.log),
  });
  try {
    const version = await checkServer(pool).finally(() => pool.end());
    const { connection, rights } = server;
    return { connection, version, rights, close: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw toStartError(error);
  }
}
