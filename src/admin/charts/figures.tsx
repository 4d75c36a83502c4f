import "./charts.css";
import { Component, lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type AnySeries,
  type RankedSeries,
  type StackedSeries,
  toColumns,
  toExtremes,
  toRankedHeight,
  toTotals,
} from "./series.ts";

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

/** Things beside each other, the first at the top. Whoever draws it gives the same as a table. */
export function RankedFigure({ title, series }: { title: string; series: RankedSeries }) {
  const { t } = useTranslation();
  return (
    <div className="chart">
      <div className="chart-ranked" style={{ height: toRankedHeight(series) }} role="img" aria-label={title}>
        <LazyPlot series={series} failedText={t("charts.failed")} />
      </div>
      <ChartLegend parts={series.parts} />
    </div>
  );
}

/** The drawing library is larger than the screen around it, which must not wait for it. */
const Plot = lazy(() => import("./plot.tsx"));

/** A drawing that fails takes nothing else along: the number and the table stay. */
class PlotBoundary extends Component<{ children: ReactNode; fallback: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

function LazyPlot({ series, failedText }: { series: AnySeries | RankedSeries; failedText: string }) {
  return (
    <PlotBoundary fallback={<p className="chart-note">{failedText}</p>}>
      <Suspense fallback={<span className="skeleton chart-plot-skeleton" />}>
        <Plot series={series} />
      </Suspense>
    </PlotBoundary>
  );
}

/** Which colour stands for what. */
function ChartLegend({ parts }: Pick<StackedSeries, "parts">) {
  return (
    <ul className="chart-legend">
      {parts.map(({ key, label, colour }) => (
        <li key={key}>
          <span className="chart-swatch" style={{ background: `var(--${colour})` }} aria-hidden />
          {label}
        </li>
      ))}
    </ul>
  );
}

interface ChartTableProps {
  title: string;
  series: AnySeries;
}

/** The same figures in words, newest first: for screen readers, the keyboard, and whoever wants to copy them. */
function ChartTable({ title, series }: ChartTableProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const columns = toColumns(series, title);
  const toText = (value: number | null | undefined) =>
    value === null || value === undefined ? (series.missing ?? t("charts.none")) : series.formatValue(value);
  return (
    <details className="chart-details" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {t("charts.table")}
        <span className="visually-hidden">: {title}</span>
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable with the keyboard
        <section className="chart-table" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t(series.isUtc ? "charts.dayUtc" : "charts.time")}</th>
                {columns.map(({ label }) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {series.points
                .map(({ at }, place) => (
                  <tr key={at}>
                    <th scope="row">{series.formatMoment(at)}</th>
                    {columns.map(({ label, values }) => (
                      <td key={label}>{toText(values[place])}</td>
                    ))}
                  </tr>
                ))
                .toReversed()}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
