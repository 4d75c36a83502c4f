import pLimit, { type LimitFunction } from "p-limit";
import { AppError } from "./errors.ts";

/**
 * What bounds work, in this process. What was measured, in CPU per call:
 *
 * - Queues of work are p-limit's: 0.5 µs where a slot is free. p-queue takes 1.8 µs, and frees the slot of work whose signal is
 *   aborted while it still runs and holds its connection.
 * - Shared work is ours: `fetch` of lru-cache is given up when the caller that came first has gone, though others wait.
 */

/** So many pieces of work at once; the others wait in the order in which they came. */
export interface WorkQueue {
  /**
   * Does the work when a slot is free.
   * @param signal Of whoever waits. Once the work has begun, it holds its slot to its end.
   * @throws AppError unavailable where too many wait already, request_timeout where the signal is aborted before the work begins.
   */
  inSlot<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

const RETRY_AFTER_S = 5;

/** Without `maxWaiting` nobody is refused. Whoever has gone counts among those who wait until their turn comes. */
export function createWorkQueue({ slots, maxWaiting }: { slots: number; maxWaiting?: number }): WorkQueue {
  const limit = pLimit(slots);
  return {
    async inSlot(work, signal) {
      if (signal?.aborted) throw new AppError("request_timeout");
      if (limit.activeCount < slots) return limit(work);
      if (maxWaiting !== undefined && limit.pendingCount >= maxWaiting)
        throw new AppError("unavailable", { retryAfterS: RETRY_AFTER_S });
      return signal ? waitUnlessAborted(limit, work, signal) : limit(work);
    },
  };
}

/** Whoever has gone is answered at once; p-limit has their turn come all the same, and nothing is done in it. */
function waitUnlessAborted<Result>(
  limit: LimitFunction,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(new AppError("request_timeout"));
  signal.addEventListener("abort", leave, { once: true });
  const begin = () => {
    signal.removeEventListener("abort", leave);
    return signal.aborted ? left.promise : work();
  };
  return Promise.race([limit(begin), left.promise]);
}

/** Work that several callers wait for, done once; it is given up when the last of them has gone. */
export interface SharedWork<Result> {
  /** Joins the work of a key, or starts it. A caller that gives no signal waits to the end. */
  run(
    key: string,
    signal: AbortSignal | undefined,
    work: (abandoned: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

interface Running<Result> {
  result: Promise<Result>;
  waiting: number;
  abandon: AbortController;
}

export function createSharedWork<Result>(): SharedWork<Result> {
  const running = new Map<string, Running<Result>>();

  const start = (key: string, work: (abandoned: AbortSignal) => Promise<Result>): Running<Result> => {
    const abandon = new AbortController();
    const forget = () => {
      if (running.get(key) === started) running.delete(key);
    };
    const started = { result: work(abandon.signal).finally(forget), waiting: 0, abandon };
    // A caller that comes after it was given up starts anew.
    abandon.signal.addEventListener("abort", forget, { once: true });
    running.set(key, started);
    return started;
  };

  return {
    run(key, signal, work) {
      const joined = running.get(key) ?? start(key, work);
      joined.waiting += 1;
      const leave = () => {
        joined.waiting -= 1;
        if (joined.waiting === 0) joined.abandon.abort();
      };
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
      return joined.result;
    },
  };
}
