import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { AppError } from "#server/base/errors.ts";

/** No honest person writes a message faster (the page waits by itself for what is left of it). */
export const CHALLENGE_WAIT_MS = 3_000;
export const CHALLENGE_LIFETIME_MS = 10 * 60_000;

/** `work` is good at the API, with a solution; `confirm` on the page that asks for a confirmation. Neither is good for the other. */
export type ChallengeKind = "work" | "confirm";

/** A challenge that this server signed. `id` is what makes it good for one message only. */
export interface Challenge {
  id: string;
  text: string;
  /** Milliseconds since 1970. */
  issuedAt: number;
}

/** Challenges that say all about themselves: the server keeps nothing until a message is stored. */
export interface Challenges {
  issue(kind: ChallengeKind): string;
  /** @throws AppError contact_challenge_required, or contact_challenge_invalid for what this server didn't sign for this kind. */
  read(text: string, kind: ChallengeKind): Challenge;
  /** @throws AppError contact_too_fast, contact_challenge_expired. */
  requireInTime(challenge: Challenge): void;
}

/** `<kind>.<time in base 36>.<16 random bytes>.<SHA-256 HMAC of what stands before>` */
const CHALLENGE = /^((work|confirm)\.([0-9a-z]{1,9})\.([\w-]{22}))\.([\w-]{43})$/;

/** @param secrets known to every process that answers for this site: the first signs, all are good. @param clock milliseconds since 1970. */
export function createChallenges(secrets: readonly [Buffer, ...Buffer[]], clock: () => number): Challenges {
  const sign = (text: string, secret: Buffer) =>
    createHmac("sha256", secret).update(text).digest("base64url");
  const isSigned = (text: string, mark: string) =>
    secrets.some((secret) => timingSafeEqual(Buffer.from(sign(text, secret)), Buffer.from(mark)));
  return {
    issue(kind) {
      const body = `${kind}.${clock().toString(36)}.${randomBytes(16).toString("base64url")}`;
      return `${body}.${sign(body, secrets[0])}`;
    },
    read(text, kind) {
      if (text === "") throw new AppError("contact_challenge_required");
      const [, body = "", kindOfText, time = "", id = "", mark = ""] = CHALLENGE.exec(text) ?? [];
      if (kindOfText !== kind || !isSigned(body, mark)) throw new AppError("contact_challenge_invalid");
      return { id, text, issuedAt: Number.parseInt(time, 36) };
    },
    requireInTime({ issuedAt }) {
      const ageMs = clock() - issuedAt;
      if (ageMs < CHALLENGE_WAIT_MS) throw new AppError("contact_too_fast");
      if (ageMs > CHALLENGE_LIFETIME_MS) {
        throw new AppError("contact_challenge_expired", {
          vars: { minutes: CHALLENGE_LIFETIME_MS / 60_000 },
        });
      }
    },
  };
}

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
