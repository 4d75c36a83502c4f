import type { Language } from "#contract/languages.ts";
import type { ChartSeries } from "./series.ts";

/** How days of UTC, as the server counts them, are written on an axis and in words. */
export function buildUtcDays(lang: Language): Pick<ChartSeries, "formatTick" | "formatMoment" | "isUtc"> {
  const tick = new Intl.DateTimeFormat(lang, { day: "numeric", month: "short", timeZone: "UTC" });
  const moment = new Intl.DateTimeFormat(lang, { dateStyle: "full", timeZone: "UTC" });
  return {
    formatTick: (at) => tick.format(new Date(at)),
    formatMoment: (at) => moment.format(new Date(at)),
    isUtc: true,
  };
}
