import type { MailSeriesAnswer, MailStats } from "#contract/mail/statistics.ts";
import { type Told, toTold } from "./rates.ts";

/** What the screen shows of a period. `series`: undefined where a back end has none. */
export interface ShownFigures {
  days: number;
  stats: MailStats;
  series: MailSeriesAnswer | undefined;
}

const COLUMNS = [
  "part",
  "name",
  "sent",
  "delivered",
  "bounced",
  "hard_bounced",
  "complained",
  "rejected",
  "open",
  "delivery_rate",
  "bounce_rate",
  "complaint_rate",
] as const;
type MailCounts = Omit<MailSeriesAnswer["days"][number], "date">;
type Row = Partial<Record<(typeof COLUMNS)[number], string | number | null | undefined>>;

/** Spreadsheets take these at a cell's begin for a formula, and domains are anybody's. */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Undefined: nobody tells of such mails, and none is known. */
const toKnown = (count: number | null | undefined, isTold: boolean) =>
  count === 0 && !isTold ? undefined : count;

function toTotalRow({ stats, days }: ShownFigures, told: Told): Row {
  return {
    part: "total",
    name: `${days} days`,
    sent: stats.total_sent,
    delivered: stats.total_delivered,
    bounced: toKnown(stats.total_bounced, told.bounced),
    hard_bounced: toKnown(stats.hard_bounced, told.bounced),
    complained: toKnown(stats.total_complained, told.complained),
    rejected: stats.total_rejected,
    open: stats.settled === undefined || !told.delivered ? undefined : stats.total_sent - stats.settled,
    delivery_rate: stats.delivery_rate,
    bounce_rate: stats.bounce_rate,
    complaint_rate: stats.complaint_rate,
  };
}

/** As the totals count: where nobody tells of deliveries, what the next server took is delivered, and nothing is open. */
function toCounts(counts: MailCounts, told: Told): Row {
  const { sent, delivered, bounced, hard_bounced, complained, rejected, open } = counts;
  return {
    sent,
    delivered: told.delivered ? delivered : delivered + open,
    bounced: toKnown(bounced, told.bounced),
    hard_bounced: toKnown(hard_bounced, told.bounced),
    complained: toKnown(complained, told.complained),
    rejected,
    open: told.delivered ? open : undefined,
  };
}

/** One table: the totals, then a row for each UTC day and each domain. What is not known is empty, and never 0. */
export function toCsv(figures: ShownFigures): string {
  const { days = [], domains = [] } = figures.series ?? {};
  const told = toTold(figures.stats);
  const rows: Row[] = [
    toTotalRow(figures, told),
    ...days.map((day) => ({ part: "day", name: day.date, ...toCounts(day, told) })),
    ...domains.map((one) => ({ part: "domain", name: one.domain, ...toCounts(one, told) })),
  ];
  const lines = [COLUMNS.join(","), ...rows.map((row) => COLUMNS.map((name) => toCell(row[name])).join(","))];
  return `${lines.join("\r\n")}\r\n`;
}

/** `email-statistics-30-days-2026-11-24.csv`; the day is of UTC, as the figures are. */
export function toFileName(days: number, now: Date): string {
  return `email-statistics-${days}-days-${now.toISOString().slice(0, 10)}.csv`;
}
