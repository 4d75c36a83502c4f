import { expect, test } from "@jest/globals";
import { toCsv, toFileName } from "./export-monitoring.ts";

const STATS = {
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
    "day,2026-11-24,12,10,2,2,0,0,0,,,",
    "domain,example.org,12,10,2,,0,0,0,,,",
    "",
  ]);
});

test("a domain can be no formula, and breaks no row", () => {
  const series = { days: [], domains: [{ domain: '=1+"a",b', ...COUNTS }] };
  expect(toCsv({ days: 7, stats: STATS, series })).toContain(`domain,"'=1+""a"",b",12,`);
});

test("the file's name says what it is of", () =>
  expect(toFileName(30, new Date("2026-11-24T23:30:00Z"))).toBe("email-statistics-30-days-2026-11-24.csv"));
