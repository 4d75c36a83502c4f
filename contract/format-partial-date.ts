import type { Language } from "./languages.ts";
import { PARTIAL_DATE } from "./partial-date.ts";

const FORMATS: Intl.DateTimeFormatOptions[] = [
  { year: "numeric" },
  { year: "numeric", month: "short" },
  { year: "numeric", month: "short", day: "numeric" },
];

/** Kept: making one takes as long as drawing ten dates, and half the time of drawing a CV went there. */
const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(lang: Language, parts: number): Intl.DateTimeFormat {
  const key = `${lang} ${parts}`;
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(lang, { ...FORMATS[parts - 1], timeZone: "UTC" });
  formats.set(key, format);
  return format;
}

/**
 * A date as exact as it is known: `2019`, `Mar 2019`, `Mar 4, 2019`; in Turkish `Mar 2019`, `4 Mar 2019`.
 * Read and drawn in UTC, so that no time zone moves it by a day. What is not a partial date comes back as it is.
 */
export function formatPartialDate(date: string, lang: Language): string {
  if (!PARTIAL_DATE.test(date)) return date;
  return getFormat(lang, date.split("-").length).format(new Date(date));
}
