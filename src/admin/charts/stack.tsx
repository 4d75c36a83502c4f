import { Bar } from "recharts";
import type { StackedSeries } from "./series.ts";

type Values = StackedSeries["points"][number]["values"];

/** The parts of one bar in the order of the drawing, from the top down, and what it is of. */
export function StackTip({
  values,
  name,
  series: { parts, formatValue },
}: {
  values: Values | undefined;
  name: string;
  series: Pick<StackedSeries, "parts" | "formatValue">;
}) {
  return (
    <div className="chart-tip">
      {parts.toReversed().map(({ key, label }) => {
        const value = values?.[key] ?? null;
        return (
          value !== null && (
            <span key={key}>
              {label}: <strong>{formatValue(value)}</strong>
            </span>
          )
        );
      })}
      <span>{name}</span>
    </div>
  );
}

/**
 * One part upon the other, `isOutlined` with a hair of paper between two, whose colours may look alike to some: it would be most of
 * a narrow bar. Recharts finds them by type among the chart's children, so no component.
 */
export function renderParts(parts: StackedSeries["parts"], isOutlined: boolean) {
  return parts.map(({ key, label, colour }) => (
    <Bar
      key={key}
      name={label}
      dataKey={({ values }: { values?: Values }) => values?.[key] ?? null}
      stackId="all"
      fill={`var(--${colour})`}
      stroke="var(--paper-raised)"
      strokeWidth={isOutlined ? 1 : 0}
      isAnimationActive={false}
    />
  ));
}
