import type { MailSeriesAnswer, MailStats } from "#contract/mail/statistics.ts";
import { type Reported, toReported } from "./rates.ts";

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

/** Undefined: nobody reports such mails, and none is known. */
const toKnown = (count: number | null | undefined, isReported: boolean) =>
  count === 0 && !isReported ? undefined : count;

function toTotalRow({ stats, days }: ShownFigures, reported: Reported): Row {
  return {
    part: "total",
    name: `${days} days`,
    sent: stats.total_sent,
    delivered: stats.total_delivered,
    bounced: toKnown(stats.total_bounced, reported.bounced),
    hard_bounced: toKnown(stats.hard_bounced, reported.bounced),
    complained: toKnown(stats.total_complained, reported.complained),
    rejected: stats.total_rejected,
    open: stats.settled === undefined || !reported.delivered ? undefined : stats.total_sent - stats.settled,
    delivery_rate: stats.delivery_rate,
    bounce_rate: stats.bounce_rate,
    complaint_rate: stats.complaint_rate,
  };
}

/** As the totals count: where nobody reports deliveries, what the next server took is delivered, and nothing is open. */
function toCounts(counts: MailCounts, reported: Reported): Row {
  const { sent, delivered, bounced, hard_bounced, complained, rejected, open } = counts;
  return {
    sent,
    delivered: reported.delivered ? delivered : delivered + open,
    bounced: toKnown(bounced, reported.bounced),
    hard_bounced: toKnown(hard_bounced, reported.bounced),
    complained: toKnown(complained, reported.complained),
    rejected,
    open: reported.delivered ? open : undefined,
  };
}

/** One table: the totals, then a row for each UTC day and each domain. What is not known is empty, and never 0. */
export function toCsv(figures: ShownFigures): string {
  const { days = [], domains = [] } = figures.series ?? {};
  const reported = toReported(figures.stats);
  const rows: Row[] = [
    toTotalRow(figures, reported),
    ...days.map((day) => ({ part: "day", name: day.date, ...toCounts(day, reported) })),
    ...domains.map((one) => ({ part: "domain", name: one.domain, ...toCounts(one, reported) })),
  ];
  const lines = [COLUMNS.join(","), ...rows.map((row) => COLUMNS.map((name) => toCell(row[name])).join(","))];
  return `${lines.join("\r\n")}\r\n`;
}

/** `email-statistics-30-days-2026-11-24.csv`; the day is of UTC, as the figures are. */
export function toFileName(days: number, now: Date): string {
  return `email-statistics-${days}-days-${now.toISOString().slice(0, 10)}.csv`;
}
