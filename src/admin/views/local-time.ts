/** `2026-11-20T13:05:09` in the reader's time zone, which is what a `datetime-local` input holds; "" for no moment. */
export function toLocalTime(value: unknown): string {
  const date = new Date(String(value ?? ""));
  if (Number.isNaN(date.getTime())) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** The moment that such an input names, as it travels; "" for none. */
export function toMoment(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
