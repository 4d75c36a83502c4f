import type { Language } from "./languages.ts";

/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`: a date as exact as it is known. */
export const PARTIAL_DATE = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/;

/** Whether a partial date names a day that exists: neither 31 February nor the year 0. */
export function isCalendarDate(text: string): boolean {
  const [year, month = 1, day = 1] = text.split("-").map(Number);
  if (!year || month === 0 || day === 0) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

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
