import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import type { ChartSeries } from "./series.ts";
import { toTimeTicks } from "./time-ticks.ts";

/** Height of `.chart-plot` in charts.css. */
const HEIGHT_PX = 160;

/** A point as the charts carry it: `ms` places it on a line of time. */
interface Datum {
  at: string;
  ms: number;
  value: number | null;
}

function toData(series: ChartSeries): Datum[] {
  return series.points.map((point) => ({ ...point, ms: Date.parse(point.at) }));
}

function PointTip({ payload, series }: Pick<TooltipContentProps, "payload"> & { series: ChartSeries }) {
  // Recharts' payload is untyped; it is one of the data given below.
  const datum = payload?.[0]?.payload as Datum | undefined;
  if (!datum || datum.value === null) return null;
  return (
    <div className="chart-tip">
      <strong>{series.formatValue(datum.value)}</strong>
      <span>{series.formatMoment(datum.at)}</span>
    </div>
  );
}

/** Axes, grid, tip and limit: the same for each kind. Recharts finds them by type among the chart's children, so no component. */
function renderFrame(series: ChartSeries) {
  const isTime = series.kind === "area";
  const top = series.max ?? "auto";
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey={isTime ? "ms" : "at"}
        {...(isTime && {
          type: "number" as const,
          scale: "time" as const,
          domain: ["dataMin", "dataMax"],
          ticks: toTimeTicks(series.points),
        })}
        tickFormatter={(at: string | number) =>
          series.formatTick(typeof at === "string" ? at : new Date(at).toISOString())
        }
        minTickGap={isTime ? 8 : 32}
        axisLine={false}
        tickLine={false}
        tickMargin={8}
      />
      <YAxis
        width="auto"
        domain={[0, top]}
        tickCount={3}
        allowDecimals={isTime}
        tickFormatter={series.formatAxis ?? series.formatValue}
        axisLine={false}
        tickLine={false}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={isTime ? { stroke: "var(--line-strong)" } : { fill: "var(--paper-sunken)" }}
        content={({ payload }) => <PointTip payload={payload} series={series} />}
      />
      {series.limit && (
        <ReferenceLine
          y={series.limit.value}
          stroke="var(--warning)"
          strokeDasharray="4 4"
          ifOverflow="extendDomain"
        />
      )}
    </>
  );
}

/**
 * The drawing of a series; its words are in the figure around it. Colours are the tokens' custom properties, so both themes
 * have theirs. Nothing moves.
 */
export default function Plot({ series }: { series: ChartSeries }) {
  const chart = {
    data: toData(series),
    accessibilityLayer: false,
    margin: { top: 8, right: 8, bottom: 0, left: 0 },
  };
  return (
    <ResponsiveContainer width="100%" height={HEIGHT_PX}>
      {series.kind === "bars" ? (
        <BarChart {...chart}>
          {renderFrame(series)}
          <Bar dataKey="value" fill="var(--accent)" radius={[2, 2, 0, 0]} isAnimationActive={false} />
        </BarChart>
      ) : (
        <AreaChart {...chart}>
          {renderFrame(series)}
          <Area
            dataKey="value"
            type="linear"
            stroke="var(--accent)"
            strokeWidth={1.5}
            fill="var(--accent-soft)"
            fillOpacity={0.7}
            isAnimationActive={false}
          />
        </AreaChart>
      )}
    </ResponsiveContainer>
  );
}
