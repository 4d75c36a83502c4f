import type { MailSeriesAnswer, MailStats } from "#contract/mail-stats.ts";

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
type Row = Partial<Record<(typeof COLUMNS)[number], string | number | null | undefined>>;

/** Spreadsheets take these at a cell's begin for a formula, and domains are anybody's. */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toTotalRow({ stats, days }: ShownFigures): Row {
  return {
    part: "total",
    name: `${days} days`,
    sent: stats.total_sent,
    delivered: stats.total_delivered,
    bounced: stats.total_bounced,
    hard_bounced: stats.hard_bounced,
    complained: stats.total_complained,
    rejected: stats.total_rejected,
    delivery_rate: stats.delivery_rate,
    bounce_rate: stats.bounce_rate,
    complaint_rate: stats.complaint_rate,
  };
}

/** One table: the totals, then a row for each UTC day and each domain. What is not known is empty, and never 0. */
export function toCsv(figures: ShownFigures): string {
  const { days = [], domains = [] } = figures.series ?? {};
  const rows: Row[] = [
    toTotalRow(figures),
    ...days.map(({ date, ...counts }) => ({ part: "day", name: date, ...counts })),
    ...domains.map(({ domain, ...counts }) => ({ part: "domain", name: domain, ...counts })),
  ];
  const lines = [COLUMNS.join(","), ...rows.map((row) => COLUMNS.map((name) => toCell(row[name])).join(","))];
  return `${lines.join("\r\n")}\r\n`;
}

/** `email-statistics-30-days-2026-11-24.csv`; the day is of UTC, as the figures are. */
export function toFileName(days: number, now: Date): string {
  return `email-statistics-${days}-days-${now.toISOString().slice(0, 10)}.csv`;
}
