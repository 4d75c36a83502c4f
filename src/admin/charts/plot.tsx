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
import {
  type AnySeries,
  type RankedSeries,
  type StackedSeries,
  toRankedHeight,
  toTimeTicks,
} from "./series.ts";

type Values = StackedSeries["points"][number]["values"];

/** The parts of one bar in the order of the drawing, from the top down, and what it is of. */
function StackTip({
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
function renderParts(parts: StackedSeries["parts"], isOutlined: boolean) {
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

/** Longer names leave a phone no room for bars; the tip and the table have them whole. */
const NAME_CHARS_MAX = 20;

const shorten = (name: string) =>
  name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX - 1)}…` : name;

/** A bar for each thing, from the left. */
function RankedPlot({ series }: { series: RankedSeries }) {
  return (
    <ResponsiveContainer width="100%" height={toRankedHeight(series)}>
      <BarChart
        data={[...series.rows]}
        layout="vertical"
        accessibilityLayer={false}
        barCategoryGap="20%"
        margin={{ top: 0, right: 16, bottom: 0, left: 0 }}
      >
        <CartesianGrid horizontal={false} stroke="var(--line)" />
        <XAxis
          type="number"
          tickCount={4}
          allowDecimals={false}
          tickFormatter={series.formatValue}
          axisLine={false}
          tickLine={false}
        />
        <YAxis
          type="category"
          dataKey="name"
          width="auto"
          interval={0}
          tickFormatter={shorten}
          axisLine={false}
          tickLine={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: "var(--paper-sunken)" }}
          content={({ payload }) => {
            // Recharts' payload is untyped; it is one of the rows.
            const row = payload?.[0]?.payload as RankedSeries["rows"][number] | undefined;
            return row ? <StackTip values={row.values} name={row.name} series={series} /> : null;
          }}
        />
        {/* Of the last ones a part is a pixel or two, which an outline would cover. */}
        {renderParts(series.parts, false)}
      </BarChart>
    </ResponsiveContainer>
  );
}

/** Height of `.chart-plot` in charts.css. */
const HEIGHT_PX = 160;

/** More bars than this are a few pixels wide. */
const OUTLINED_BARS_MAX = 45;

/** A point as the charts carry it: `ms` places it on a line of time. A stack has `values`, by part. */
interface Datum {
  at: string;
  ms: number;
  value?: number | null;
  values?: Readonly<Record<string, number | null>>;
}

function toData(series: AnySeries): Datum[] {
  return series.points.map((point) => ({ ...point, ms: Date.parse(point.at) }));
}

function PointTip({ payload, series }: Pick<TooltipContentProps, "payload"> & { series: AnySeries }) {
  // Recharts' payload is untyped; it is one of the data given below.
  const datum = payload?.[0]?.payload as Datum | undefined;
  if (!datum) return null;
  if (series.kind === "stack")
    return <StackTip values={datum.values} name={series.formatMoment(datum.at)} series={series} />;
  const { value = null } = datum;
  if (value === null) return null;
  return (
    <div className="chart-tip">
      <strong>{series.formatValue(value)}</strong>
      <span>{series.formatMoment(datum.at)}</span>
    </div>
  );
}

/** Axes, grid, tip and limit: the same for each kind. Recharts finds them by type among the chart's children, so no component. */
function renderFrame(series: AnySeries) {
  // Days of UTC stand beside each other: round times of the reader's clock would lie between them.
  const isTime = series.kind === "area" && !series.isUtc;
  const top = series.max ?? "auto";
  const { min } = series;
  const bottom = min === undefined ? 0 : (lowest: number) => Math.min(min, lowest);
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
        domain={[bottom, top]}
        tickCount={3}
        allowDecimals={series.kind === "area"}
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
      {series.floor && (
        <ReferenceLine
          y={series.floor.value}
          stroke="var(--success)"
          strokeDasharray="1 4"
          ifOverflow="extendDomain"
        />
      )}
    </>
  );
}

/** One bar a day, or as many as a stack has parts, one upon the other. */
function renderBars(series: AnySeries) {
  if (series.kind !== "stack") {
    return <Bar dataKey="value" fill="var(--accent)" radius={[2, 2, 0, 0]} isAnimationActive={false} />;
  }
  return renderParts(series.parts, series.points.length <= OUTLINED_BARS_MAX);
}

/**
 * The drawing of a series; its words are in the figure around it. Colours are the tokens' custom properties, so both themes
 * have theirs. Nothing moves.
 */
export default function Plot({ series }: { series: AnySeries | RankedSeries }) {
  return series.kind === "ranked" ? <RankedPlot series={series} /> : <TimePlot series={series} />;
}

function TimePlot({ series }: { series: AnySeries }) {
  const chart = {
    data: toData(series),
    accessibilityLayer: false,
    margin: { top: 8, right: 8, bottom: 0, left: 0 },
  };
  return (
    <ResponsiveContainer width="100%" height={HEIGHT_PX}>
      {series.kind !== "area" ? (
        <BarChart {...chart}>
          {renderFrame(series)}
          {renderBars(series)}
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
