import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";

const MB = 1e6;
const GB = 1e9;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Largest first. */
const UNITS = [
  ["day", DAY_S],
  ["hour", HOUR_S],
  ["minute", MINUTE_S],
  ["second", 1],
] as const;

/** The two largest units of a duration: `3 days, 4 hr`. */
export function toDurationText(seconds: number, lang: string): string {
  let rest = Math.max(0, Math.floor(seconds));
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [[unit, count] as const] : [];
  });
  const shown = parts.length > 0 ? parts.slice(0, 2) : [["second", 0] as const];
  const texts = shown.map(([unit, count]) =>
    new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "short" }).format(count),
  );
  return texts.join(" ");
}

/** Measured values in the reader's language. Bytes count in thousands, as disks are sold. */
export function useHealthText() {
  const { i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  return useMemo(() => {
    const unit = (name: string, digits: number) =>
      new Intl.NumberFormat(lang, { style: "unit", unit: name, maximumFractionDigits: digits });
    const [ms, fineMs, mb, gb] = [
      unit("millisecond", 0),
      unit("millisecond", 1),
      unit("megabyte", 0),
      unit("gigabyte", 1),
    ];
    const count = new Intl.NumberFormat(lang);
    const percent = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 1 });
    const exactPercent = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 2 });
    // The day in 24 hours: an axis has no room for more.
    const hour = new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const time = new Intl.DateTimeFormat(lang, { timeStyle: "medium" });
    const moment = new Intl.DateTimeFormat(lang, {
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
    });
    return {
      count: (value: number) => count.format(value),
      milliseconds: (value: number) => (value < 10 ? fineMs : ms).format(value),
      bytes: (value: number) => (value < GB ? mb.format(value / MB) : gb.format(value / GB)),
      share: (value: number) => percent.format(value),
      exactShare: (value: number) => exactPercent.format(value),
      duration: (seconds: number) => toDurationText(seconds, lang),
      hour: (at: string) => hour.format(new Date(at)),
      time: (at: string | number) => time.format(new Date(at)),
      moment: (at: string) => moment.format(new Date(at)),
    };
  }, [lang]);
}
