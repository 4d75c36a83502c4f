import dayjs from "dayjs";

// Days and clock times of the reader's own calendar, by dayjs. `src/ui/ago.ts` says why relative times aren't.

/** `2026-11-20`, by the reader's own calendar. */
export const toLocalDay = (moment: Date): string => dayjs(moment).format("YYYY-MM-DD");

/** When a day of the reader's calendar is over, as it travels. Where clocks go forward at midnight a day begins at one o'clock. */
export const toDayEnd = (day: string): string => dayjs(day).add(1, "day").startOf("day").toISOString();

/** `2026-11-20T13:05:09` in the reader's time zone, which is what a `datetime-local` input holds; "" for no moment. */
export function toLocalTime(value: unknown): string {
  // A day without a time begins in UTC, as the server reads it; dayjs alone would begin it where the reader is.
  const moment = dayjs(new Date(String(value ?? "")));
  return moment.isValid() ? moment.format("YYYY-MM-DDTHH:mm:ss") : "";
}

/** The moment that such an input names, as it travels; "" for none. dayjs would read year 2, the first digit of 2026, as 1902. */
export function toMoment(local: string): string {
  const moment = new Date(local);
  return Number.isNaN(moment.getTime()) ? "" : moment.toISOString();
}
