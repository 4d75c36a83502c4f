import { readFilled } from "#contract/filled-text.ts";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/mail-refusals.json" with { type: "json" };
import tr from "#locales/tr/mail-refusals.json" with { type: "json" };
import { fill } from "../templates/mail-text.ts";

const TEXTS = { en, tr } satisfies Record<Language, typeof en>;

/** Why a report is not taken. */
export type Refusal = keyof typeof en;

/** As it is logged and stored. */
export function toRefusalText(
  refusal: Refusal,
  vars: Readonly<Record<string, string | number>> = {},
): string {
  return fill(en[refusal], vars);
}

/** What was stored, in the reader's language. */
export function translateRefusal(text: string, lang: Language): string {
  const filled = readFilled(en, text);
  return filled ? fill(TEXTS[lang][filled.key], filled.vars) : text;
}

/** A report that is not taken: 400 it is malformed, 403 it isn't proven. Its text is for the site's staff, never an answer's. */
export class ReportRefusedError extends Error {
  override name = "ReportRefusedError";
  readonly status: 400 | 403;

  constructor(status: 400 | 403, refusal: Refusal, vars?: Readonly<Record<string, string | number>>) {
    super(toRefusalText(refusal, vars));
    this.status = status;
  }
}
