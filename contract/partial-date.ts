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
