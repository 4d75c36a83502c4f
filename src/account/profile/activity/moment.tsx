import { formatAgo } from "../../../ui/ago.ts";
import { usePage } from "../../../ui/page-context.tsx";
import { useProfile } from "../own-profile.tsx";

const MINUTE_MS = 60_000;

/** In the largest unit that fits; under a minute it is now. */
export function toRelativeTime(moment: string, nowMs: number, lang: string): string {
  const agoMs = nowMs - Date.parse(moment);
  return agoMs >= MINUTE_MS
    ? formatAgo(agoMs, lang, ["year", "month", "week", "day", "hour", "minute"])
    : formatAgo(0, lang, ["second"]);
}

/** The whole moment by the reader's calendar and clock. */
export function toFullTime(moment: string, lang: string): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" }).format(new Date(moment));
}

/** How long ago something was; pointing at it shows the whole moment. */
export function Moment({ at }: { at: string }) {
  const { lang } = usePage();
  const { services } = useProfile();
  return (
    <time dateTime={at} title={toFullTime(at, lang)}>
      {toRelativeTime(at, services.now(), lang)}
    </time>
  );
}
