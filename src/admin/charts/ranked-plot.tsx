import { BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { type RankedSeries, toRankedHeight } from "./series.ts";
import { renderParts, StackTip } from "./stack.tsx";

/** Longer names leave a phone no room for bars; the tip and the table have them whole. */
const NAME_CHARS_MAX = 20;

const shorten = (name: string) =>
  name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX - 1)}…` : name;

/** A bar for each thing, from the left. */
export function RankedPlot({ series }: { series: RankedSeries }) {
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
