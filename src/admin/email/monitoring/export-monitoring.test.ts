import { expect, test } from "@jest/globals";
import type { MailStats } from "#contract/mail/statistics.ts";
import { toCsv, toFileName } from "./export-monitoring.ts";

const STATS: MailStats = {
  total_sent: 12,
  total_delivered: 10,
  total_bounced: 2,
  total_complained: null,
  total_rejected: 0,
  delivery_rate: 83.33,
  bounce_rate: 16.67,
  complaint_rate: null,
  hard_bounced: 2,
};
const COUNTS = { sent: 12, delivered: 10, bounced: 2, complained: 0, rejected: 0, open: 0 };

test("one table holds totals, days and domains; what is not known is empty", () => {
  const series = {
    days: [{ date: "2026-11-24", ...COUNTS, hard_bounced: 2 }],
    domains: [{ domain: "example.org", ...COUNTS }],
  };
  expect(toCsv({ days: 7, stats: STATS, series }).split("\r\n")).toEqual([
    "part,name,sent,delivered,bounced,hard_bounced,complained,rejected,open,delivery_rate,bounce_rate,complaint_rate",
    "total,7 days,12,10,2,2,,0,,83.33,16.67,",
    "day,2026-11-24,12,10,2,2,,0,0,,,",
    "domain,example.org,12,10,2,,,0,0,,,",
    "",
  ]);
});

test("all rows count alike, and what nobody reports is empty", () => {
  const stats = {
    ...STATS,
    total_delivered: 12,
    total_bounced: 0,
    bounce_rate: null,
    hard_bounced: 0,
    settled: 12,
    delivered_is_accepted: true,
  };
  const counts = { ...COUNTS, delivered: 0, open: 12, bounced: 0, hard_bounced: 0 };
  const series = {
    days: [{ date: "2026-11-24", ...counts }],
    domains: [{ domain: "example.org", ...counts }],
  };
  expect(toCsv({ days: 7, stats, series }).split("\r\n").slice(1, 4)).toEqual([
    "total,7 days,12,12,,,,0,,83.33,,",
    "day,2026-11-24,12,12,,,,0,,,,",
    "domain,example.org,12,12,,,,0,,,,",
  ]);
  const open = { ...STATS, total_delivered: 8, settled: 10 };
  expect(toCsv({ days: 7, stats: open, series: undefined })).toContain("total,7 days,12,8,2,2,,0,2,");
});

test("a domain can be no formula, and breaks no row", () => {
  const series = { days: [], domains: [{ domain: '=1+"a",b', ...COUNTS }] };
  expect(toCsv({ days: 7, stats: STATS, series })).toContain(`domain,"'=1+""a"",b",12,`);
});

test("the file's name says what it is of", () =>
  expect(toFileName(30, new Date("2026-11-24T23:30:00Z"))).toBe("email-statistics-30-days-2026-11-24.csv"));
