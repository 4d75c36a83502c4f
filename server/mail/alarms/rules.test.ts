import { expect, test } from "@jest/globals";
import { toInterval } from "#contract/mail/health.ts";
import { type AlarmKind, judgeAlarm, type MailRules } from "./rules.ts";

const RULES: MailRules = {
  days: 7,
  volume_min: 100,
  bounce_limit: 5,
  bounce_count_min: 5,
  complaint_limit: 0.1,
  complaint_count_min: 3,
  alarm_holds: true,
  bounce_stops: true,
  complaint_stops: true,
  transient_count_min: 3,
  transient_days: 30,
};

/** Returns never alarm by their number: only a rate can. */
const BY_RATE: MailRules = { ...RULES, bounce_count_min: 100_000 };

test.each<[string, AlarmKind, number, number, MailRules, unknown]>([
  ["nothing", "bounces", 0, 0, RULES, undefined],
  ["four returns of twenty mails", "bounces", 4, 20, RULES, undefined],
  ["five returns of twenty mails", "bounces", 5, 20, RULES, { rate: null, limit: null }],
  ["five returns of a thousand mails", "bounces", 5, 1000, RULES, undefined],
  ["99 mails that all came back", "bounces", 99, 99, BY_RATE, undefined],
  ["a rate at the limit", "bounces", 50, 1000, BY_RATE, undefined],
  ["a rate above the limit that may be chance", "bounces", 8, 100, BY_RATE, undefined],
  ["a rate that is surely above the limit", "bounces", 12, 100, BY_RATE, { rate: 12, limit: 5 }],
  ["two complaints of a hundred mails", "complaints", 2, 100, RULES, undefined],
  ["two complaints of three mails", "complaints", 2, 3, RULES, undefined],
  ["three complaints of fifty mails", "complaints", 3, 50, RULES, { rate: null, limit: null }],
  ["three complaints of two hundred mails", "complaints", 3, 200, RULES, { rate: 1.5, limit: 0.1 }],
  ["three complaints of ten thousand mails", "complaints", 3, 10_000, RULES, undefined],
])("%s", (_name, kind, count, total, rules, judged) =>
  expect(judgeAlarm(kind, { count, total }, rules)).toEqual(judged),
);

/** The same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Case {
  kind: AlarmKind;
  count: number;
  total: number;
  rules: MailRules;
}

function buildCases(howMany: number): Case[] {
  const pick = createRandom(17);
  return Array.from({ length: howMany }, () => {
    const total = pick(3) === 0 ? pick(20) : pick(2000);
    return {
      kind: pick(2) === 0 ? "bounces" : "complaints",
      total,
      count: Math.min(total, pick(2) === 0 ? pick(12) : pick(total + 1)),
      rules: {
        ...RULES,
        volume_min: 1 + pick(300),
        bounce_limit: (1 + pick(2000)) / 100,
        bounce_count_min: 1 + pick(30),
        complaint_limit: (1 + pick(500)) / 100,
        complaint_count_min: 1 + pick(10),
      },
    };
  });
}

const CASES = buildCases(3000).map((about) => {
  const { kind, rules } = about;
  const isBounces = kind === "bounces";
  return {
    about,
    judged: judgeAlarm(kind, about, rules),
    min: isBounces ? rules.bounce_count_min : rules.complaint_count_min,
    limit: isBounces ? rules.bounce_limit : rules.complaint_limit,
  };
});

test("mails that are too few have no rate: their number alone alarms", () => {
  const few = CASES.filter(({ about }) => about.total < about.rules.volume_min);
  expect(few.length).toBeGreaterThan(500);
  for (const { about, judged, min } of few) {
    const wanted = about.count >= min ? { rate: null, limit: null } : undefined;
    expect({ about, judged }).toEqual({ about, judged: wanted });
  }
});

test("a limit is crossed by the interval's lower end alone, and by no complaints that are too few", () => {
  const above = CASES.filter(({ judged }) => judged?.limit);
  expect(above.length).toBeGreaterThan(300);
  for (const { about, limit, judged, min } of above) {
    expect(toInterval(about.count, about.total)?.low).toBeGreaterThan(limit);
    expect(judged?.limit).toBe(limit);
    if (about.kind === "complaints") expect(about.count).toBeGreaterThanOrEqual(min);
  }
});

test("more of it never ends an alarm", () => {
  const more = CASES.filter(({ about, judged }) => judged && about.count < about.total);
  expect(more.length).toBeGreaterThan(300);
  for (const { about } of more) {
    const judged = judgeAlarm(about.kind, { ...about, count: about.count + 1 }, about.rules);
    expect({ about, judged }).not.toEqual({ about, judged: undefined });
  }
});
