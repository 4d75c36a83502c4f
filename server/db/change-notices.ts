import type { Queryable } from "./pool.ts";

/** How long a notice may wait for others. */
const GATHER_MS = 20;
const RETRY_MS = 1_000;

/**
 * Notices of writes that have been committed. A notice inside a transaction makes commits wait for each other; for models
 * that are written a thousand times a second these go out behind the commits, several in one statement. Nothing that must
 * not be missed may depend on them: a process that dies takes the last 20 ms along.
 */
export interface Notices {
  publish(modelKey: string, change: RowChange): void;
  /** Sends what waits. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createNotices(db: Queryable, log: { warn(details: object, message: string): void }): Notices {
  /** By model and type of change. */
  let waiting = new Map<string, { modelKey: string; change: RowChange }>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  let closed = false;

  const add = (modelKey: string, change: RowChange) => {
    const name = `${modelKey} ${change.type}`;
    const known = waiting.get(name);
    waiting.set(name, { modelKey, change: known ? mergeChanges(known.change, change) : change });
  };
  const schedule = (delayMs: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, delayMs);
  };
  const send = async () => {
    const sent = waiting;
    if (sent.size === 0) return;
    waiting = new Map();
    try {
      const notices = Array.from(sent.values(), ({ modelKey, change }) => toNotice(modelKey, change));
      await sendNotices(db, notices);
    } catch (err) {
      log.warn({ err }, "notices of changes could not be sent; they are kept and tried again");
      for (const { modelKey, change } of sent.values()) add(modelKey, change);
      if (!closed) schedule(RETRY_MS);
    }
  };
  const flush = () => {
    sending = sending.then(send);
    return sending;
  };

  return {
    publish(modelKey, change) {
      add(modelKey, change);
      schedule(GATHER_MS);
    },
    flush,
    async close() {
      closed = true;
      clearTimeout(timer);
      await flush();
    },
  };
}
export const CHANNEL = "foyer_changed";
/** Which rows of a model changed, for those who show them live. */
export interface RowChange {
  type: "created" | "updated" | "deleted";
  /** At most `MAX_PUBLISHED_IDS`; empty with `isMany`. */
  ids: readonly number[];
  isMany: boolean;
}

/** A notice holds at most 8,000 bytes. */
const MAX_PUBLISHED_IDS = 100;
export function toRowChange(type: RowChange["type"], ids: readonly number[]): RowChange {
  const isMany = ids.length > MAX_PUBLISHED_IDS;
  return { type, ids: isMany ? [] : ids, isMany };
}

/** What two changes of a model are as one. */
export function mergeChanges(first: RowChange, second: RowChange): RowChange {
  const type = first.type === second.type ? first.type : "updated";
  if (first.isMany || second.isMany) return { type, ids: [], isMany: true };
  return toRowChange(type, [...new Set([...first.ids, ...second.ids])]);
}

/** Text of a notice: the model's key, and behind a blank what is known of its rows. */
export function toNotice(modelKey: string, change?: RowChange): string {
  return change ? `${modelKey} ${JSON.stringify(change)}` : modelKey;
}

/** Notifies every process, at commit, that rows of a model changed. Call it inside the transaction of the write. */
export async function notifyChange(db: Queryable, modelKey: string, change?: RowChange): Promise<void> {
  await db.query(`SELECT pg_notify('${CHANNEL}', $1)`, [toNotice(modelKey, change)]);
}

/** SQL that does the same for one row, inside the statement that writes it. `id` is SQL of its number. */
export function noticeSql(modelKey: string, type: RowChange["type"], id: string): string {
  return `pg_notify('${CHANNEL}', '${modelKey} {"type":"${type}","ids":[' || ${id} || '],"isMany":false}')`;
}

/** One statement for any number of notices. */
export async function sendNotices(db: Queryable, notices: readonly string[]): Promise<void> {
  await db.query(`SELECT pg_notify('${CHANNEL}', notice) FROM unnest($1::text[]) AS notice`, [notices]);
}
