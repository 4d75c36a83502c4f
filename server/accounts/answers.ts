import { setTimeout as wait } from "node:timers/promises";
import type { ErrorCode } from "#contract/errors.ts";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/answers.json" with { type: "json" };
import tr from "#locales/tr/answers.json" with { type: "json" };
import { AppError } from "#server/base/errors.ts";
import type { Client } from "./account.ts";

const TEXTS = { en, tr } as const;

/** What a call that went well says, in the language of the request. */
export function toAnswerText(key: keyof typeof en, lang: Language): string {
  return TEXTS[lang][key];
}

/** More than a hash and a transaction take on the reference machine. */
const ANSWER_FLOOR_MS = 250;

/** Begins the time before whose end an answer doesn't leave. */
export type AnswerFloor = () => PromiseLike<unknown>;

export const startFloor: AnswerFloor = () => wait(ANSWER_FLOOR_MS);

/**
 * Answers, or fails, when the floor's time is over at the earliest: a mail that is written takes longer than one that is not, and
 * the time of an answer must not show which it was.
 */
export async function withFloor<Answer>(begin: AnswerFloor, work: () => Promise<Answer>): Promise<Answer> {
  const floor = begin();
  try {
    return await work();
  } finally {
    await floor;
  }
}

/** Of calls that let somebody in: a wrong password, code, passkey or link, or too many of them. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  "invalid_credentials",
  "too_many_logins",
  "invalid_second_factor",
  "passkey_unknown",
  "insufficient_permissions",
  "invalid_verification_code",
  "too_many_codes",
  "too_many_requests",
  "setup_link_invalid",
]);

/**
 * Runs what lets somebody in, and writes one line where they are refused. `docs/fail2ban` reads it, so its form stays. Nothing of
 * what was typed stands there: people type passwords into the field of the name.
 */
export async function logRefusal<Answer>(
  { log }: { log: { warn(details: object, message: string): void } },
  { ipAddress, requestId }: Client,
  letIn: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await letIn();
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.code))
      log.warn({ address: ipAddress, reason: error.code, requestId }, "failed log-in");
    throw error;
  }
}
