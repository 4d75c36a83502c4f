import type { Language } from "#contract/languages.ts";

/** One measured value; null where nothing was measured. */
export interface ChartPoint {
  /** ISO day or moment. */
  at: string;
  value: number | null;
}

/** A line across the drawing, and what it means. */
interface ChartLine {
  value: number;
  label: string;
}

/** How points are said in words, and what frames them. */
interface ChartFrame {
  formatValue: (value: number) => string;
  /** The same on the axis, where there is little room; else `formatValue`. */
  formatAxis?: (value: number) => string;
  /** What the table says of a value that is not there; else that it was not measured. */
  missing?: string;
  /** A point's time as the axis shows it, short; and exactly. */
  formatTick: (at: string) => string;
  formatMoment: (at: string) => string;
  /** Points are days of UTC, and not of the reader's clock: it is said beside them. */
  isUtc?: boolean;
  /** Highest value of the axis where there is a natural one, such as 1 for a share. */
  max?: number;
  /** Where the axis begins unless a value lies lower; 0 where it is absent. */
  min?: number;
  /** Line that a value should stay below. */
  limit?: ChartLine;
  /** Line that a value should stay above. */
  floor?: ChartLine;
}

/** One value over time. */
export interface ChartSeries extends ChartFrame {
  /** `bars`: one per day, from zero. `area`: a value that changes all the time. */
  kind: "bars" | "area";
  points: readonly ChartPoint[];
}

/** Tokens of `ui/tokens.css` that parts of a stack may have, as far from each other as they can be told apart. */
export type PartColour = "accent" | "success" | "warning" | "danger" | "live" | "line-strong";

/** Counts of several kinds over time, one upon the other: together they are everything. */
export interface StackedSeries extends ChartFrame {
  kind: "stack";
  /** From the bottom up. */
  parts: readonly { key: string; label: string; colour: PartColour }[];
  /** `values`: by the key of a part; null where nothing was measured. */
  points: readonly { at: string; values: Readonly<Record<string, number | null>> }[];
}

/** The same of several things beside each other instead of over time, the first at the top. */
export interface RankedSeries extends Pick<StackedSeries, "parts" | "formatValue"> {
  kind: "ranked";
  rows: readonly { name: string; values: StackedSeries["points"][number]["values"] }[];
}

/** Over time. */
export type AnySeries = ChartSeries | StackedSeries;

const ROW_PX = 26;
const AXIS_PX = 30;

/** A row needs its height however many there are. */
export function toRankedHeight({ rows }: RankedSeries): number {
  return rows.length * ROW_PX + AXIS_PX;
}

/** What a stack is in all: null where none of its parts was measured. */
export function toTotals({ points, parts }: StackedSeries): ChartPoint[] {
  return points.map(({ at, values }) => {
    const measured = parts.flatMap(({ key }) => values[key] ?? []);
    return { at, value: measured.length === 0 ? null : measured.reduce((sum, value) => sum + value, 0) };
  });
}

/** Columns of a series in words: what each is called, and its values in the order of the points. */
export function toColumns(series: AnySeries, title: string): { label: string; values: (number | null)[] }[] {
  if (series.kind !== "stack") return [{ label: title, values: series.points.map(({ value }) => value) }];
  return series.parts.map(({ key, label }) => ({
    label,
    values: series.points.map(({ values }) => values[key] ?? null),
  }));
}

/** Smallest, largest, mean and last of the measured values; undefined without any. */
export function toExtremes(points: readonly ChartPoint[]) {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = values.at(-1);
  if (last === undefined) return undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { min: Math.min(...values), max: Math.max(...values), mean, last, count: values.length };
}

/** Times between two points beyond this many of the usual steps were not measured. */
const GAP_STEPS = 2;

/** Puts a point without a value where nothing was measured, so that no line is drawn across. */
export function withGaps(points: readonly ChartPoint[], stepMs: number): ChartPoint[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    if (!before) return [point];
    const beforeMs = Date.parse(before.at);
    if (Date.parse(point.at) - beforeMs <= GAP_STEPS * stepMs) return [point];
    return [{ at: new Date(beforeMs + stepMs).toISOString(), value: null }, point];
  });
}

/** How days of UTC, as the server counts them, are written on an axis and in words. */
export function buildUtcDays(lang: Language): Pick<ChartSeries, "formatTick" | "formatMoment" | "isUtc"> {
  const tick = new Intl.DateTimeFormat(lang, { day: "numeric", month: "short", timeZone: "UTC" });
  const moment = new Intl.DateTimeFormat(lang, { dateStyle: "full", timeZone: "UTC" });
  return {
    formatTick: (at) => tick.format(new Date(at)),
    formatMoment: (at) => moment.format(new Date(at)),
    isUtc: true,
  };
}

const MINUTE_MS = 60_000;
/** Steps that people count time in, up to half a day. */
const TICK_STEPS_MS = [5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE_MS);
const TICKS_MAX = 5;

/** Round local times between the first and the last point, in milliseconds. */
export function toTimeTicks(points: AnySeries["points"]): number[] {
  const begin = Date.parse(points[0]?.at ?? "");
  const end = Date.parse(points.at(-1)?.at ?? "");
  if (Number.isNaN(begin) || Number.isNaN(end)) return [];
  const step =
    TICK_STEPS_MS.find((candidate) => (end - begin) / candidate <= TICKS_MAX) ?? 24 * 60 * MINUTE_MS;
  // Full hours of the reader's clock, which may be half an hour off the world's.
  const offset = new Date(begin).getTimezoneOffset() * MINUTE_MS;
  const ticks: number[] = [];
  for (let at = Math.ceil((begin - offset) / step) * step + offset; at <= end; at += step) ticks.push(at);
  return ticks;
}
