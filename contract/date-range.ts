/** Days of the documented ranges (specification B section 9); a list begins with `DEFAULT_RANGE_DAYS`. */
export const RANGE_DAYS = [7, 30, 90] as const;
export const DEFAULT_RANGE_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1000;

/** When a range of so many UTC days, today the last of them, begins. */
export function toDaysStart(days: number, nowMs: number): Date {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return new Date(today - (days - 1) * DAY_MS);
}

/** The same of a filter's value, as ISO text; undefined where the text is no number of days. */
export function toRangeStart(days: string, nowMs: number): string | undefined {
  if (!/^[1-9]\d{0,3}$/.test(days)) return undefined;
  return toDaysStart(Number(days), nowMs).toISOString();
}
