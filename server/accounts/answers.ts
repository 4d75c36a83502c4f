import { setTimeout as wait } from "node:timers/promises";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/answers.json" with { type: "json" };
import tr from "#locales/tr/answers.json" with { type: "json" };

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
