import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { useMinutes } from "../ui/relative-time.tsx";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Just now under a minute, then minutes, hours under 24, days under 7, else the date (specification B section 9). */
export function toRelativeText(moment: Date, nowMs: number, lang: string, t: TFunction): string {
  const agoMs = nowMs - moment.getTime();
  if (agoMs < MINUTE_MS) return t("time.justNow");
  const format = new Intl.RelativeTimeFormat(lang, { numeric: "always" });
  if (agoMs < HOUR_MS) return format.format(-Math.floor(agoMs / MINUTE_MS), "minute");
  if (agoMs < DAY_MS) return format.format(-Math.floor(agoMs / HOUR_MS), "hour");
  if (agoMs < 7 * DAY_MS) return format.format(-Math.floor(agoMs / DAY_MS), "day");
  return new Intl.DateTimeFormat(lang, { dateStyle: "medium" }).format(moment);
}

/** How long ago something was, with the exact moment for whoever points at it. */
export function RelativeTime({ moment }: { moment: string }) {
  const { t, i18n } = useTranslation();
  useMinutes();
  const lang = toLanguage(i18n.language);
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const exact = new Intl.DateTimeFormat(lang, { dateStyle: "full", timeStyle: "medium" }).format(date);
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {toRelativeText(date, Date.now(), lang, t)}
    </time>
  );
}
