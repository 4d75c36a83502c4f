import type { StackedSeries } from "./series.ts";

/** Which colour stands for what. */
export function ChartLegend({ parts }: Pick<StackedSeries, "parts">) {
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
