import { expect, test } from "@jest/globals";
import type { MailStats } from "#contract/mail/statistics.ts";
import { toOverall, toPoor, toRates, toReported } from "./rates.ts";

const STATS: MailStats = {
  total_sent: 500,
  total_delivered: 470,
  total_bounced: 20,
  total_complained: 0,
  total_rejected: 1,
  delivery_rate: 97.92,
  bounce_rate: 2.4,
  complaint_rate: 0,
  hard_bounced: 12,
  settled: 480,
};
const judge = (part: Partial<MailStats>) => toRates({ ...STATS, ...part });

test("a rate says what it is made of, between what it likely is, and its limit", () => {
  const { delivery, bounce, complaint } = judge({});
  expect(delivery).toMatchObject({ count: 470, total: 480, limit: 95, state: "good" });
  expect(bounce).toMatchObject({ count: 12, total: 500, limit: 5, state: "good" });
  expect(complaint).toMatchObject({ count: 0, total: 470, limit: 0.1, state: "good" });
  expect(bounce.interval?.low).toBeCloseTo(1.38, 1);
  expect(toOverall(judge({}))).toBe("good");
});

test("what nobody reports is not known, and never zero", () => {
  const rates = judge({ bounce_rate: null, complaint_rate: null, total_complained: null });
  expect(rates.bounce).toMatchObject({ value: null, interval: null, state: "unknown", count: 12 });
  expect(rates.complaint).toMatchObject({ value: null, state: "unknown", count: null });
  expect(toOverall(rates)).toBe("unknown");
  expect(judge({ bounce_rate: null, hard_bounced: 0 }).bounce.count).toBeNull();
});

test.each([
  ["all of them", {}, { delivered: true, bounced: true, complained: true }],
  [
    "nothing",
    { bounce_rate: null, complaint_rate: null, total_complained: null, delivered_is_accepted: true },
    { delivered: false, bounced: false, complained: false },
  ],
  // None arrived, so that there is nothing to complain of.
  ["complaints of none", { total_delivered: 0, complaint_rate: null }, { complained: true }],
  ["a complaint by chance", { total_complained: 1, complaint_rate: null }, { complained: false }],
])("an answer says of what somebody reports: %s", (_what, part, reported) =>
  expect(toReported({ ...STATS, ...part })).toMatchObject(reported),
);

test.each([
  ["few mails, however many came back", { sent: 40, bounced: 20, complained: 5 }, {}, false, false],
  ["many that came back", { sent: 400, bounced: 60 }, {}, true, false],
  ["many that came back for the moment", { sent: 400, bounced: 60, hard_bounced: 2 }, {}, false, false],
  ["two complaints", { sent: 100, complained: 2 }, {}, false, false],
  ["many complaints", { sent: 400, complained: 9 }, {}, false, true],
  [
    "what nobody reports",
    { sent: 400, bounced: 60, complained: 9 },
    { bounced: false, complained: false },
    false,
    false,
  ],
])("a domain is as poor as the cards would say: %s", (_what, part, unreported, bounced, complained) => {
  const domain = {
    domain: "x.example",
    delivered: 0,
    bounced: 0,
    complained: 0,
    rejected: 0,
    open: 0,
    ...part,
  };
  const reported = { delivered: true, bounced: true, complained: true, ...unreported };
  expect(toPoor(domain, domain.sent - domain.bounced, reported)).toEqual({ bounced, complained });
});

test.each([
  ["few mails have no colour", { total_sent: 40, hard_bounced: 20, bounce_rate: 50 }, "bounce", "few"],
  ["many returns are poor", { hard_bounced: 60, bounce_rate: 12 }, "bounce", "poor"],
  [
    "two complaints are nobody's fault",
    { total_complained: 2, total_delivered: 300, complaint_rate: 0.67 },
    "complaint",
    "unsure",
  ],
  ["many complaints are poor", { total_complained: 9, complaint_rate: 1.91 }, "complaint", "poor"],
  ["a rate just beyond its limit may be chance", { hard_bounced: 27, bounce_rate: 5.4 }, "bounce", "unsure"],
  ["lost mails are poor", { total_delivered: 300, delivery_rate: 62.5 }, "delivery", "poor"],
  [
    "no mails are no rate",
    { total_sent: 0, settled: 0, total_delivered: 0, delivery_rate: null },
    "delivery",
    "none",
  ],
] as const)("%s", (_what, part, name, state) => expect(judge(part)[name].state).toBe(state));

test("the mail is as poor as its poorest rate", () => {
  expect(toOverall(judge({ hard_bounced: 60, bounce_rate: 12, complaint_rate: null }))).toBe("poor");
  const nothing = { total_sent: 0, settled: 0, total_delivered: 0 };
  expect(toOverall(judge({ ...nothing, delivery_rate: null, bounce_rate: null, complaint_rate: null }))).toBe(
    "none",
  );
});

test("a back end that counts totals alone is judged by them", () => {
  const { settled: _settled, hard_bounced: _hard, ...plain } = STATS;
  const { delivery, bounce } = toRates(plain);
  expect(delivery.total).toBe(500);
  expect(bounce.count).toBe(20);
});
