import { usePage } from "../../../ui/page-context.tsx";
import { useProfile } from "../own-profile.tsx";

const UNITS = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["week", 7 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** "5 minutes ago", in the largest unit that fits; a moment that a fast clock puts ahead is now. */
export function toRelativeTime(moment: string, nowMs: number, lang: string): string {
  const seconds = Math.max(0, (nowMs - Date.parse(moment)) / 1000);
  const format = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
  for (const [unit, length] of UNITS)
    if (seconds >= length) return format.format(-Math.floor(seconds / length), unit);
  return format.format(0, "second");
}

/** The whole moment by the reader's calendar and clock. */
export function toFullTime(moment: string, lang: string): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" }).format(new Date(moment));
}

/** How long ago something was; pointing at it tells the whole moment. */
export function Moment({ at }: { at: string }) {
  const { lang } = usePage();
  const { services } = useProfile();
  return (
    <time dateTime={at} title={toFullTime(at, lang)}>
      {toRelativeTime(at, services.now(), lang)}
    </time>
  );
}
