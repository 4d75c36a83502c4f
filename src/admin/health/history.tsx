import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { HealthAnswer } from "#contract/health.ts";
import { TrendFigure } from "../charts/figures.tsx";
import { type ChartSeries, toExtremes, withGaps } from "../charts/series.ts";
import { useHealthText } from "./use-health-text.ts";

type Sample = HealthAnswer["history"][number];

/** The server gives a point for each five minutes that have a sample. */
const STEP_MS = 300_000;
/** Above this share the server warns of a full disk (server/health/checks.ts). */
const DISK_LIMIT = 0.9;

function useSeries(
  history: readonly Sample[],
  read: (sample: Sample) => number | null,
  formatValue: (value: number) => string,
): ChartSeries {
  const { hour, moment } = useHealthText();
  return useMemo(
    () => ({
      kind: "area",
      points: withGaps(
        history.map((sample) => ({ at: sample.time, value: read(sample) })),
        STEP_MS,
      ),
      formatValue,
      formatTick: hour,
      formatMoment: moment,
    }),
    [history, read, formatValue, hour, moment],
  );
}

const readResponseTime = (sample: Sample) => sample.response_time;
const readMemory = (sample: Sample) => sample.memory_usage;
const readDisk = (sample: Sample) => sample.disk_usage;

function HistoryFigure({ title, series }: { title: string; series: ChartSeries }) {
  const { t } = useTranslation();
  const mean = toExtremes(series.points)?.mean;
  return (
    <div className="health-card">
      <TrendFigure
        title={title}
        number={mean === undefined ? "–" : series.formatValue(mean)}
        period={t("health.history.period")}
        series={series}
      />
    </div>
  );
}

/** The last day of what is sampled. */
export function HistoryPart({ history }: { history: readonly Sample[] }) {
  const { t } = useTranslation();
  const { milliseconds, bytes, share } = useHealthText();
  const responseTime = useSeries(history, readResponseTime, milliseconds);
  const memory = useSeries(history, readMemory, bytes);
  const diskUsage = useSeries(history, readDisk, share);
  const disk = useMemo(
    () => ({
      ...diskUsage,
      max: 1,
      limit: { value: DISK_LIMIT, label: t("health.history.diskLimit", { share: share(DISK_LIMIT) }) },
    }),
    [diskUsage, share, t],
  );
  return (
    <section aria-label={t("health.history.title")}>
      <h2>{t("health.history.title")}</h2>
      <div className="history-cards">
        <HistoryFigure title={t("health.metrics.responseTime")} series={responseTime} />
        <HistoryFigure title={t("health.metrics.memory")} series={memory} />
        <HistoryFigure title={t("health.metrics.disk")} series={disk} />
      </div>
    </section>
  );
}
