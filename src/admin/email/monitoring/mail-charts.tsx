import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import type { MailStats } from "#contract/mail/statistics.ts";
import { TrendFigure } from "../../charts/figures.tsx";
import { buildUtcDays, type ChartSeries, type StackedSeries } from "../../charts/series.ts";
import { Panel } from "../../ui/panel.tsx";
import { RATE_NAMES, type Rate, toRates, toReported } from "./rates.ts";
import { useRateText } from "./use-rate-text.ts";
import { type MailDay, toRatePoints, toVolumeValues, useVolumeParts } from "./volume.ts";

interface MailChartsProps {
  days: readonly MailDay[];
  stats: MailStats;
}

/** Deliveries are near a hundred percent: the axis begins here unless one lies lower. */
const DELIVERY_AXIS_MIN = 90;

function useVolume({ days, stats }: MailChartsProps): StackedSeries {
  const { t, i18n } = useTranslation();
  const { count } = useRateText();
  const lang = toLanguage(i18n.language);
  const reported = useMemo(() => toReported(stats), [stats]);
  const parts = useVolumeParts(days, reported);
  return useMemo(
    () => ({
      ...buildUtcDays(lang),
      kind: "stack",
      parts,
      points: days.map((day) => ({ at: day.date, values: toVolumeValues(day, reported) })),
      formatValue: count,
      missing: t("emailMonitoring.rates.unknown"),
    }),
    [days, reported, parts, lang, t, count],
  );
}

interface RateFigureProps extends MailChartsProps {
  rate: Rate;
  period: string;
}

function RateFigure({ rate: { name, value, limit }, days, stats, period }: RateFigureProps) {
  const { t, i18n } = useTranslation();
  const text = useRateText();
  const lang = toLanguage(i18n.language);
  const isAccepted = stats.delivered_is_accepted === true;
  const series = useMemo((): ChartSeries => {
    const isFloor = name === "delivery";
    const label = { limit: text.limit(limit) };
    return {
      ...buildUtcDays(lang),
      kind: "area",
      points: toRatePoints(name, days, isAccepted),
      formatValue: text.rate,
      formatAxis: text.limit,
      ...(isFloor
        ? {
            min: DELIVERY_AXIS_MIN,
            max: 100,
            floor: { value: limit, label: t("emailMonitoring.rates.min", label) },
          }
        : { limit: { value: limit, label: t("emailMonitoring.rates.max", label) } }),
    };
  }, [name, days, isAccepted, limit, lang, t, text]);
  return (
    <TrendFigure
      title={t(`emailMonitoring.rates.${name}`)}
      number={value === null ? "–" : text.rate(value)}
      period={period}
      series={series}
    />
  );
}

/** How many mails there were and what became of them, day by day, and the rates that are known. */
export function MailCharts({ days, stats }: MailChartsProps) {
  const { t } = useTranslation();
  const { count } = useRateText();
  const volume = useVolume({ days, stats });
  const rates = toRates(stats);
  const known = RATE_NAMES.filter((name) => rates[name].value !== null);
  const period = t("emailMonitoring.period.last", { days: days.length });
  return (
    <>
      <Panel title={t("emailMonitoring.charts.volume")}>
        <TrendFigure
          title={t("emailMonitoring.rates.sent")}
          number={count(stats.total_sent)}
          period={period}
          series={volume}
        />
      </Panel>
      {known.length > 0 && (
        <Panel title={t("emailMonitoring.charts.rates")}>
          <div className="rate-charts">
            {known.map((name) => (
              <RateFigure key={name} {...{ rate: rates[name], days, stats, period }} />
            ))}
          </div>
          <p className="monitoring-help">{t("emailMonitoring.charts.trailing")}</p>
        </Panel>
      )}
    </>
  );
}
