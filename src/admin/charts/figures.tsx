import "./charts.css";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ChartLegend } from "./chart-legend.tsx";
import { ChartTable } from "./chart-table.tsx";
import { LazyPlot } from "./lazy-plot.tsx";
import { type AnySeries, toExtremes, toTotals } from "./series.ts";

/** Fewer points make no line. */
const POINTS_MIN = 2;

interface TrendFigureProps {
  title: string;
  /** The figure's one number. */
  number: string;
  /** Which time it is about. */
  period: string;
  series: AnySeries;
  note?: ReactNode;
}

/** A chart with its name, number, period and limit, and the same as a table. */
export function TrendFigure({ title, number, period, series, note }: TrendFigureProps) {
  const { t } = useTranslation();
  const extremes = toExtremes(series.kind === "stack" ? toTotals(series) : series.points);
  const { formatValue, limit, floor, isUtc } = series;
  return (
    <figure className="chart">
      <figcaption className="chart-caption">
        <span className="chart-title">{title}</span>
        <span className="chart-number">{number}</span>
        <span className="chart-period">{isUtc ? t("charts.utc", { period }) : period}</span>
      </figcaption>
      {extremes && extremes.count >= POINTS_MIN ? (
        <>
          <div
            className="chart-plot"
            role="img"
            aria-label={t("charts.summary", {
              title,
              period,
              min: formatValue(extremes.min),
              max: formatValue(extremes.max),
              last: formatValue(extremes.last),
            })}
          >
            <LazyPlot series={series} failedText={t("charts.failed")} />
          </div>
          {series.kind === "stack" && (
            // From the top down, as they are drawn.
            <ChartLegend parts={series.parts.toReversed()} />
          )}
          <div className="chart-foot">
            {floor && <span className="chart-floor">{floor.label}</span>}
            {limit && <span className="chart-limit">{limit.label}</span>}
            {note}
            <ChartTable title={title} series={series} />
          </div>
        </>
      ) : (
        <p className="chart-note chart-plot">{t("charts.tooLittle")}</p>
      )}
    </figure>
  );
}
