import { AppError } from "../base/errors.ts";

/** Lets a few pieces of work run at a time; others wait in order. */
export type ConcurrencyGate = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** @throws AppError unavailable, from the gate, when too many wait already. */
export function createConcurrencyGate(limits: { running: number; waiting: number }): ConcurrencyGate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < limits.running) running++;
    else {
      if (waiting.length >= limits.waiting) throw new AppError("unavailable", { retryAfterS: 5 });
      await new Promise<void>((resolve) => waiting.push(resolve)); // whoever ends hands its place over
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
