import { readFilled } from "#contract/filled-text.ts";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/mail-stop-reasons.json" with { type: "json" };
import tr from "#locales/tr/mail-stop-reasons.json" with { type: "json" };
import { fill } from "../templates/mail-text.ts";

const TEXTS = { en: en.stopReasons, tr: tr.stopReasons } satisfies Record<Language, typeof en.stopReasons>;

/** Why the server stops mail to an address, as it is stored: in English. */
export function toStopReason(
  reason: keyof typeof en.stopReasons,
  vars: Readonly<Record<string, string | number>> = {},
): string {
  return fill(TEXTS.en[reason], vars);
}

/** What was stored, in the reader's language; a person's words stay as they are. */
export function translateStopReason(text: string, lang: Language): string {
  const filled = readFilled(TEXTS.en, text);
  return filled ? fill(TEXTS[lang][filled.key], filled.vars) : text;
}
