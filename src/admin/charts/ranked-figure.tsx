import "./charts.css";
import { useTranslation } from "react-i18next";
import { ChartLegend } from "./chart-legend.tsx";
import { LazyPlot } from "./lazy-plot.tsx";
import { type RankedSeries, toRankedHeight } from "./series.ts";

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
