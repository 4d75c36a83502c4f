import { AppError } from "#server/http/errors.ts";

/** Runs one piece of work after the other. */
export type SerialQueue = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

const RETRY_AFTER_S = 5;

/** @throws AppError unavailable, from the queue, when too many wait already. */
export function createSerialQueue(maxWaiting: number): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= maxWaiting) throw new AppError("unavailable", { retryAfterS: RETRY_AFTER_S });
    waiting++;
    const answer = last.then(() => {
      waiting--;
      return work();
    });
    last = answer.catch(() => undefined); // it is told to who asked for it
    return answer;
  };
}
