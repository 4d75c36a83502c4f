const LENGTHS_MS = {
  year: 365 * 24 * 3600_000,
  month: 30 * 24 * 3600_000,
  week: 7 * 24 * 3600_000,
  day: 24 * 3600_000,
  hour: 3600_000,
  minute: 60_000,
  second: 1000,
} as const;

/**
 * "5 minutes ago", in whole units of the largest that fits, else none of the last. A moment that a fast clock puts ahead is now.
 * By `Intl`: of dayjs's own, both the steps and the words ("a minute ago", "bir dakika önce") would have to be replaced to say what
 * the specification asks.
 * @param units The largest first. @param numeric `auto` says "yesterday" for one day ago.
 */
export function formatAgo(
  agoMs: number,
  lang: string,
  units: readonly (keyof typeof LENGTHS_MS)[],
  numeric: "auto" | "always" = "auto",
): string {
  const unit = units.find((each) => agoMs >= LENGTHS_MS[each]) ?? units.at(-1) ?? "second";
  const format = new Intl.RelativeTimeFormat(lang, { numeric });
  return format.format(-Math.floor(Math.max(0, agoMs) / LENGTHS_MS[unit]), unit);
}
