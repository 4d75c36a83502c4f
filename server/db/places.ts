import { AppError } from "#server/base/errors.ts";

/** So many pieces of work at once; the others wait in the order in which they came. */
export interface Places {
  /** Does the work when a place is free. @throws AppError request_timeout where the signal is aborted before that. */
  inPlace<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result>;
}

export function createPlaces(count: number): Places {
  let free = count;
  const waiting: (() => void)[] = [];

  const take = (signal: AbortSignal | undefined): Promise<void> | void => {
    if (signal?.aborted) throw new AppError("request_timeout");
    if (free > 0) {
      free -= 1;
      return;
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(new AppError("request_timeout"));
      };
      waiting.push(enter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  };
  const give = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  return {
    async inPlace(work, signal) {
      await take(signal);
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
