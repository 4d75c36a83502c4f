import { setTimeout as wait } from "node:timers/promises";

/** More than a hash and a transaction take on the reference machine. */
export const ANSWER_FLOOR_MS = 250;

/**
 * Answers, or fails, after `floorMs` at the earliest: a mail that is written takes longer than one that is not, and the time
 * of an answer must not tell which it was.
 */
export async function withFloor<Answer>(floorMs: number, work: () => Promise<Answer>): Promise<Answer> {
  const floor = wait(floorMs);
  try {
    return await work();
  } finally {
    await floor;
  }
}
