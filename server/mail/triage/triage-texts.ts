import type { Language } from "#contract/languages.ts";
import en from "#locales/en/mail-triage.json" with { type: "json" };
import tr from "#locales/tr/mail-triage.json" with { type: "json" };
import { fill } from "../templates/mail-text.ts";

const TEXTS = { en, tr } satisfies Record<Language, Record<keyof typeof en, string>>;

/** What became of a row; its text is for whoever asked. */
export type TriageCode = Exclude<keyof typeof en, "batch">;

export function toTriageMessage(
  code: keyof typeof en,
  lang: Language,
  vars: Readonly<Record<string, number>> = {},
): string {
  return fill(TEXTS[lang][code], vars);
}
