import pg from "pg";

/** Anything that runs a statement: the pool, or one connection inside a transaction. */
export type Queryable = Pick<pg.Pool, "query">;

/** Where a PostgreSQL is: the supervised server's private socket, or an address. */
export type Connection =
  | { host: string; port: number; user: string; database: string }
  | { connectionString: string };

/** PostgreSQL ends a statement that takes too long; a connection that is dead without a word has only our own clock. */
const ANSWER_PATIENCE_MS = 5_000;
/** For a connection to open, and for one of a pool to be free. */
const CONNECT_MS = 10_000;

const TIMESTAMPTZ_OID = 1184;

/** PostgreSQL's text of a moment in UTC → ISO 8601: `2026-11-20 13:18:00.1+00` → `2026-11-20T13:18:00.1Z`. */
function toIsoText(value: string): string {
  return value.endsWith("+00") ? `${value.slice(0, 10)}T${value.slice(11, -3)}Z` : value;
}

/** Moments travel as ISO text and int8 as text: pg's Date objects would cost CPU for each row of a list. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === TIMESTAMPTZ_OID
      ? toIsoText
      : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
};

/**
 * What every connection of ours is set up with: UTC. A statement without a name is planned for the values at hand, as searches
 * need; one with a name soon gets a plan for good, so that only writes have names (`content/write/write-one.ts`).
 */
export function toClientConfig(
  connection: Connection,
  applicationName: string,
  statementTimeoutMs?: number,
  lockTimeoutMs?: number,
  answerPatienceMs = ANSWER_PATIENCE_MS,
): pg.ClientConfig {
  return {
    ...connection,
    // A private socket; PGSSLMODE in the owner's shell is not meant for it.
    ...("host" in connection && { ssl: false }),
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
    ...(statementTimeoutMs !== undefined && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + answerPatienceMs,
    }),
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
    options: "-c TimeZone=UTC -c DateStyle=ISO",
    types,
  };
}

/**
 * Opens a pool. `onError` gets the errors of idle connections that broke; without it they would end the process. A statement
 * that waits longer than `lockTimeoutMs` for somebody else's lock ends with 55P03.
 */
export function createPool(
  connection: Connection,
  options: {
    name: string;
    max: number;
    onError: (error: Error) => void;
    statementTimeoutMs?: number;
    lockTimeoutMs?: number;
    answerPatienceMs?: number;
  },
): pg.Pool {
  const { name, statementTimeoutMs, lockTimeoutMs, answerPatienceMs } = options;
  const pool = new pg.Pool({
    ...toClientConfig(connection, name, statementTimeoutMs, lockTimeoutMs, answerPatienceMs),
    max: options.max,
    idleTimeoutMillis: 60_000,
  });
  pool.on("error", (error: Error & { client?: unknown }) => {
    // The pool hangs the whole connection on it; a log would write out kilobytes of it.
    delete error.client;
    options.onError(error);
  });
  // The pool listens to idle connections only. One that breaks while it is handed out would end the process; whoever
  // holds it learns of it from the statement that fails.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** The number of the process that serves a connection. `pg` knows it and doesn't type it. */
export function getBackendId(client: pg.PoolClient): number {
  return (client as unknown as { processID: number }).processID;
}

/**
 * Closes the socket under a connection. `pg` has no call that ends a COPY whose reader has gone: whatever comes after it on the
 * connection would wait for ever. Statements on it fail from here on; release the client as broken.
 */
export function cutConnection(client: pg.PoolClient): void {
  // `pg` keeps it there; its types do not say so.
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}
