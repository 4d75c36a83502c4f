import { mergeChanges, type RowChange, sendNotices, toNotice } from "./changes.ts";
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
  tell(modelKey: string, change: RowChange): void;
  /** Sends what waits. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createNotices(db: Queryable, log: { warn(details: object, message: string): void }): Notices {
  let waiting = new Map<string, RowChange>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  let closed = false;

  const add = (modelKey: string, change: RowChange) => {
    const name = `${modelKey} ${change.type}`;
    const known = waiting.get(name);
    waiting.set(name, known ? mergeChanges(known, change) : change);
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
      const notices = Array.from(sent, ([name, change]) =>
        toNotice(name.slice(0, name.indexOf(" ")), change),
      );
      await sendNotices(db, notices);
    } catch (err) {
      log.warn({ err }, "notices of changes could not be sent; they are kept and tried again");
      for (const [name, change] of sent) add(name.slice(0, name.indexOf(" ")), change);
      if (!closed) schedule(RETRY_MS);
    }
  };
  const flush = () => {
    sending = sending.then(send);
    return sending;
  };

  return {
    tell(modelKey, change) {
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
