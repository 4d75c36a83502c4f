/** Work that several callers wait for, done once; it is given up when the last of them has gone. */
export interface SharedWork<Result> {
  /** Joins the work of a key, or starts it. Who gives no signal waits to the end. */
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
    // Who comes after it was given up starts anew.
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
