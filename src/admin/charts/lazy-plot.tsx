import { Component, lazy, type ReactNode, Suspense } from "react";
import type { AnySeries, RankedSeries } from "./series.ts";

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

export function LazyPlot({ series, failedText }: { series: AnySeries | RankedSeries; failedText: string }) {
  return (
    <PlotBoundary fallback={<p className="chart-note">{failedText}</p>}>
      <Suspense fallback={<span className="skeleton chart-plot-skeleton" />}>
        <Plot series={series} />
      </Suspense>
    </PlotBoundary>
  );
}
