import type { Language } from "#contract/languages.ts";
import { formatPartialDate } from "#contract/partial-date.ts";
import en from "#locales/en/site.json" with { type: "json" };
import tr from "#locales/tr/site.json" with { type: "json" };

const PRESENT: Readonly<Record<Language, string>> = { en: en.cv.present, tr: tr.cv.present };

/** From when to when, as the page says it: `Mar 2021 – present`. Null where neither is known. */
export function toPeriodText(start: string | null, end: string | null, lang: Language): string | null {
  if (!start || start === end) return end && formatPartialDate(end, lang);
  return `${formatPartialDate(start, lang)} – ${end ? formatPartialDate(end, lang) : PRESENT[lang]}`;
}
