import type { Language } from "#contract/languages.ts";
import { PARTIAL_DATE } from "#contract/partial-date.ts";

const FORMATS: Intl.DateTimeFormatOptions[] = [
  { year: "numeric" },
  { year: "numeric", month: "short" },
  { year: "numeric", month: "short", day: "numeric" },
];

/**
 * A date as exact as it is known: `2019`, `Mar 2019`, `Mar 4, 2019`; in Turkish `Mar 2019`, `4 Mar 2019`.
 * Read and drawn in UTC, so that no time zone moves it by a day. What is not a partial date comes back as it is.
 */
export function formatPartialDate(date: string, lang: Language): string {
  if (!PARTIAL_DATE.test(date)) return date;
  const parts = date.split("-").length;
  return new Intl.DateTimeFormat(lang, { ...FORMATS[parts - 1], timeZone: "UTC" }).format(new Date(date));
}
