import { setTimeout as wait } from "node:timers/promises";

/** More than a hash and a transaction take on the reference machine. */
const ANSWER_FLOOR_MS = 250;

/** Begins the time before whose end an answer doesn't leave. */
export type AnswerFloor = () => PromiseLike<unknown>;

export const startFloor: AnswerFloor = () => wait(ANSWER_FLOOR_MS);

/**
 * Answers, or fails, when the floor's time is over at the earliest: a mail that is written takes longer than one that is not, and
 * the time of an answer must not tell which it was.
 */
export async function withFloor<Answer>(begin: AnswerFloor, work: () => Promise<Answer>): Promise<Answer> {
  const floor = begin();
  try {
    return await work();
  } finally {
    await floor;
  }
}
