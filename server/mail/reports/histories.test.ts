import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import fc from "fast-check";
import { toRuns } from "#test/property-runs.ts";
import { createMailStatistics } from "../stats.ts";
import type { ReportedEvent } from "./report-source.ts";
import { reopenReports } from "./report-store.ts";
import { openTestReports, type TestReports } from "./test-reports.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const SOURCES = ["ses", "signed", "returned"];

let reports: TestReports;
beforeAll(async () => {
  reports = await openTestReports();
});
afterAll(() => reports.close());
beforeEach(() => reports.empty());

/** What one of its sources reports of a mail. */
const news = fc.record({
  mail: fc.nat(4),
  source: fc.constantFrom(...SOURCES),
  kind: fc.constantFrom("delayed", "delivered", "hard", "soft", "complained", "rejected"),
  repeats: fc.integer({ min: 1, max: 3 }),
});
type News = { mail: number; source: string; kind: string; repeats: number };

const history = fc.record({
  daysAgo: fc.array(fc.nat(99), { minLength: 5, maxLength: 5 }),
  reported: fc.array(news, { maxLength: 12 }),
  order: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
});

interface Mail {
  id: number;
  report_token: string;
  recipient: string;
  daysAgo: number;
}

function toEvent({ kind, source }: News, mail: Mail): ReportedEvent {
  const common = {
    key: `${source} ${kind} ${mail.id}`,
    occurredAt: null,
    recipient: mail.recipient,
    mail: { reportToken: mail.report_token },
  };
  if (kind === "hard" || kind === "soft") {
    const type = kind === "hard" ? "Permanent" : "Transient";
    return { ...common, kind: "bounced", bounce: { type, subtype: "General" }, statusCode: "5.2.1" };
  }
  if (kind === "complained")
    return { ...common, kind, complaint: { feedbackType: "abuse", userAgent: null, candidates: 1 } };
  return { ...common, kind: kind as "delivered" }; // the kinds that are left have no details
}

/** What became of a mail by a second, plain reading of the rules: the furthest of its news. */
function judge(reported: readonly News[]): string {
  const kinds = new Set(reported.map(({ kind }) => kind));
  if (kinds.has("complained")) return "complained";
  if (kinds.has("hard") || kinds.has("soft")) return "bounced";
  for (const kind of ["rejected", "delivered", "delayed"]) if (kinds.has(kind)) return kind;
  return "sent";
}

function count(mails: readonly Mail[], reported: readonly News[], days: number) {
  const within = mails
    .map((mail, index) => ({ mail, reported: reported.filter((one) => one.mail === index) }))
    .filter(({ mail }) => mail.daysAgo < days)
    .map((one) => ({ ...one, state: judge(one.reported) }));
  const having = (...states: string[]) => within.filter(({ state }) => states.includes(state)).length;
  return {
    total_sent: within.length - having("rejected"),
    total_delivered: having("delivered", "complained"),
    total_bounced: having("bounced"),
    total_complained: having("complained"),
    total_rejected: having("rejected"),
    hard_bounced: within.filter(
      ({ reported, state }) => state === "bounced" && reported.some(({ kind }) => kind === "hard"),
    ).length,
  };
}

const openStatistics = () =>
  createMailStatistics({ db: reports.pool, sources: SOURCES, hasFeedbackAddress: false, now: reports.now });

/** The days of the series together. */
async function sumSeries(days: number) {
  const series = await openStatistics().getSeries(days);
  const sum = (name: "sent" | "bounced" | "hard_bounced" | "complained" | "rejected") =>
    series.days.reduce((total, day) => total + (day[name] ?? 0), 0);
  return {
    total_sent: sum("sent"),
    total_bounced: sum("bounced"),
    total_complained: sum("complained"),
    total_rejected: sum("rejected"),
    hard_bounced: sum("hard_bounced"),
  };
}

async function readTotals() {
  const statistics = openStatistics();
  return Promise.all([7, 30, 90].map((days) => statistics.getStats(days)));
}

test("totals of 7, 30 and 90 days are those of a recount, whatever the order, the repeats and the ways", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ daysAgo, reported, order }) => {
      await reports.empty();
      const today = reports.clock.now;
      const mails: Mail[] = [];
      for (const [index, ago] of daysAgo.entries()) {
        reports.clock.now = today - ago * DAY_MS;
        mails.push({ ...(await reports.sendMail(`person${index}@foyer.example`)), daysAgo: ago });
      }
      reports.clock.now = today;
      const sent = reported.flatMap((one) =>
        Array.from({ length: one.repeats }, (_, round) => ({ one, round })),
      );
      const shuffled = sent
        .map((each, index) => ({ each, place: order[index] ?? 0 }))
        .sort((a, b) => a.place - b.place);
      for (const [index, { each }] of shuffled.entries()) {
        const mail = mails[each.one.mail];
        if (!mail) throw new Error("there is no such mail");
        await reports.report(each.one.source, `${each.round} ${index}`, [toEvent(each.one, mail)]);
        if (index % 3 === 0) await reports.reader.readAll();
      }
      await reports.reader.readAll();
      const totals = await readTotals();
      for (const [index, days] of [7, 30, 90].entries())
        expect(totals[index]).toMatchObject(count(mails, reported, days));
      expect(totals[2]).toMatchObject(await sumSeries(90));

      // A replay gives what a clean run gave.
      const before = {
        totals,
        bounces: await readRows("mail_bounce"),
        stops: await readRows("mail_suppression"),
      };
      await reopenReports(reports.pool, "all");
      await reports.reader.readAll();
      expect({
        totals: await readTotals(),
        bounces: await readRows("mail_bounce"),
        stops: await readRows("mail_suppression"),
      }).toEqual(before);
    }),
    { numRuns: toRuns(25, 500) },
  );
});

async function readRows(table: "mail_bounce" | "mail_suppression") {
  return (await reports.read(table)).map(({ updated_at: _, ...row }) => row);
}
