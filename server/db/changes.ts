import pg from "pg";
import { type Connection, type Queryable, toClientConfig } from "./pool.ts";

const CHANNEL = "foyer_changed";
const RETRY_DELAY_MS = 500;
/** A network may lose a connection without a word: it is asked this often, and taken for lost when it doesn't answer. */
const HEARTBEAT_MS = 20_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** Tells every process, at commit, that rows of a model changed. Call it inside the transaction of the write. */
export async function notifyChange(db: Queryable, modelKey: string): Promise<void> {
  await db.query(`SELECT pg_notify('${CHANNEL}', $1)`, [modelKey]);
}

/** Notices of committed changes, from whichever process wrote. */
export interface ChangeFeed {
  /** Hears each changed model's key; undefined means that notices may have been missed: drop everything. */
  subscribe(listener: (modelKey: string | undefined) => void): void;
  /**
   * Tells this process's own listeners of a write that it has just committed. The notice of it comes a moment later, and
   * who wrote may ask before that.
   */
  announce(modelKey: string): void;
  /** False while no connection listens: caches must not be trusted then. */
  isLive(): boolean;
  close(): Promise<void>;
}

/** Opens the listening connection and keeps it: a broken one is opened again, after which everything counts as changed. */
export async function openChangeFeed(
  connection: Connection,
  log: { warn(details: object, message: string): void },
): Promise<ChangeFeed> {
  const listeners = new Set<(modelKey: string | undefined) => void>();
  const tell = (modelKey: string | undefined) => {
    for (const listener of listeners) listener(modelKey);
  };
  let client: pg.Client | undefined;
  let live = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...toClientConfig(connection, "foyer changes"),
      keepAlive: true,
      query_timeout: ANSWER_TIMEOUT_MS,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    });
    next.on("notification", (notice) => tell(notice.payload || undefined));
    next.on("error", () => lose(next));
    next.on("end", () => lose(next));
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
      if (closed) throw new Error("closed while connecting");
    } catch (error) {
      await next.end().catch(() => undefined); // it may never have been open: the first fault says why
      throw error;
    }
    client = next;
    live = true;
    heartbeat = setInterval(() => next.query("SELECT").catch(() => lose(next)), HEARTBEAT_MS);
    tell(undefined);
  }

  function lose(broken: pg.Client): void {
    if (closed || broken !== client) return;
    live = false;
    client = undefined;
    clearInterval(heartbeat);
    void broken.end().catch(() => undefined); // it is broken already
    tell(undefined);
    log.warn({}, "the connection that hears of changes broke; caches are off until it is back");
    scheduleRetry();
  }

  function scheduleRetry(): void {
    retry = setTimeout(() => {
      connect().catch(() => {
        if (!closed) scheduleRetry();
      });
    }, RETRY_DELAY_MS);
  }

  await connect();
  return {
    subscribe: (listener) => void listeners.add(listener),
    announce: tell,
    isLive: () => live,
    async close() {
      closed = true;
      live = false;
      clearTimeout(retry);
      clearInterval(heartbeat);
      await client?.end();
    },
  };
}
