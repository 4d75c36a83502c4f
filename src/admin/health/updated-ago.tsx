import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";

const TICK_MS = 1000;
const MINUTE_S = 60;

function toAgoText(seconds: number, lang: string): string {
  const format = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
  return seconds < MINUTE_S
    ? format.format(-seconds, "second")
    : format.format(-Math.floor(seconds / MINUTE_S), "minute");
}

/** How old the figures are, counted each second; read by screen readers on request only. */
export function UpdatedAgo({ atMs, isPaused }: { atMs: number; isPaused: boolean }) {
  const { t, i18n } = useTranslation();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((nowMs - atMs) / TICK_MS));
  const ago = toAgoText(seconds, toLanguage(i18n.language));
  return <span className="health-ago">{t(isPaused ? "health.paused" : "health.updated", { ago })}</span>;
}
