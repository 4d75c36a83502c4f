import type { Language } from "#contract/languages.ts";
import en from "#locales/en/answers.json" with { type: "json" };
import tr from "#locales/tr/answers.json" with { type: "json" };

const TEXTS = { en, tr } as const;

/** What a call that went well says, in the language of the request. */
export function toAnswerText(key: keyof typeof en, lang: Language): string {
  return TEXTS[lang][key];
}
