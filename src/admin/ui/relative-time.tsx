import type { TFunction } from "i18next";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { formatAgo } from "../../ui/ago.ts";

/** No text of a relative time is older than this. */
const TICK_MS = 30_000;

const tickListeners = new Set<() => void>();
let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  ticks += 1;
  for (const listener of tickListeners) listener();
}

/** One clock for every time on the screen: a list has twenty. It stands while there is none. */
function subscribeTicks(listener: () => void): () => void {
  tickListeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    tickListeners.delete(listener);
    if (tickListeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Draws a component again twice a minute, so that what it says of the time stays true on a page that stays open. */
function useMinutes(): void {
  useSyncExternalStore(subscribeTicks, () => ticks);
}

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/** Just now under a minute, then minutes, hours under 24, days under 7, else the date (specification B section 9). */
export function toRelativeText(moment: Date, nowMs: number, lang: string, t: TFunction): string {
  const agoMs = nowMs - moment.getTime();
  if (agoMs < MINUTE_MS) return t("time.justNow");
  if (agoMs < WEEK_MS) return formatAgo(agoMs, lang, ["day", "hour", "minute"], "always");
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
