import { hash } from "node:crypto";

/**
 * Many small puzzles in place of a large one: the time of their sum varies little, so that nobody has bad luck.
 * bench/proof-of-work.ts measures what they cost a visitor.
 */
export const PUZZLES = 16;
export const ZERO_BITS = 9;

const NUMBERS = /^\d{1,9}(\.\d{1,9})*$/;

function isSolvedBy(challenge: string, puzzle: number, number: string): boolean {
  const digest = hash("sha256", `${challenge}.${puzzle}.${Number(number)}`, "buffer");
  return digest.readUInt32BE(0) >>> (32 - ZERO_BITS) === 0;
}

/** Whether a solution (numbers joined by dots) solves each puzzle of a challenge. Costs so many hashes, a few microseconds. */
export function isSolved(challenge: string, solution: string): boolean {
  const numbers = NUMBERS.test(solution) ? solution.split(".") : [];
  return (
    numbers.length === PUZZLES && numbers.every((number, puzzle) => isSolvedBy(challenge, puzzle, number))
  );
}
