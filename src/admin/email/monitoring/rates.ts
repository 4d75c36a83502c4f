import {
  type Interval,
  judgeCeiling,
  judgeComplaints,
  judgeFloor,
  MAIL_LIMITS,
  type RateHealth,
  toInterval,
} from "#contract/mail/health.ts";
import type { MailSeriesAnswer, MailStats } from "#contract/mail/statistics.ts";

export const RATE_NAMES = ["delivery", "bounce", "complaint"] as const;
export type RateName = (typeof RATE_NAMES)[number];

/**
 * `unsure`: beyond its limit, which may be chance; `few`: too few mails; `none`: none at all; `unknown`: there were mails, and
 * nobody reports what became of them.
 */
export type RateState = "good" | "unsure" | "poor" | "few" | "none" | "unknown";

/** One rate as a card shows it. */
export interface Rate {
  name: RateName;
  /** In percent; null: not known. */
  value: number | null;
  /** What it is made of: so many of `total`, or at least so many where the rate is not known. Null: nobody counts them. */
  count: number | null;
  total: number;
  interval: Interval | null;
  /** In percent: `min` of deliveries, `max` of the others. */
  limit: number;
  state: RateState;
}

const STATES: Readonly<Record<RateHealth, RateState>> = { good: "good", poor: "poor", unknown: "few" };

function buildRate(
  part: Omit<Rate, "interval" | "state">,
  judge: (count: number, total: number) => RateHealth,
): Rate {
  const { name, value, count, total, limit } = part;
  if (total <= 0) return { ...part, value: null, interval: null, state: "none" };
  if (value === null || count === null)
    return { ...part, count: count === 0 ? null : count, value: null, interval: null, state: "unknown" };
  const judged = STATES[judge(count, total)];
  const isBeyond = name === "delivery" ? value < limit : value > limit;
  return {
    ...part,
    interval: toInterval(count, total),
    state: judged === "good" && isBeyond ? "unsure" : judged,
  };
}

/** The three rates against their limits. Where a back end doesn't say what a rate is made of, the totals stand for it. */
export function toRates(stats: MailStats): Readonly<Record<RateName, Rate>> {
  const { total_sent: sent, total_delivered: delivered } = stats;
  const { deliveryMin, bounceMax, complaintMax } = MAIL_LIMITS;
  return {
    delivery: buildRate(
      {
        name: "delivery",
        value: stats.delivery_rate,
        count: delivered,
        total: stats.settled ?? sent,
        limit: deliveryMin,
      },
      (count, total) => judgeFloor(count, total, deliveryMin),
    ),
    bounce: buildRate(
      {
        name: "bounce",
        value: stats.bounce_rate,
        count: stats.hard_bounced ?? stats.total_bounced,
        total: sent,
        limit: bounceMax,
      },
      (count, total) => judgeCeiling(count, total, bounceMax),
    ),
    complaint: buildRate(
      {
        name: "complaint",
        value: stats.complaint_rate,
        count: stats.total_complained,
        total: delivered,
        limit: complaintMax,
      },
      judgeComplaints,
    ),
  };
}

/** Which outcomes somebody reports. Where nobody does, a number is the least there is, and 0 is no number. */
export type Reported = Readonly<Record<"delivered" | "bounced" | "complained", boolean>>;

export function toReported(stats: MailStats): Reported {
  const { total_delivered: delivered, total_complained: complained } = stats;
  return {
    delivered: stats.delivered_is_accepted !== true,
    bounced: stats.bounce_rate !== null,
    // Of no mails that arrived there is no rate either.
    complained: stats.complaint_rate !== null || (complained !== null && delivered === 0),
  };
}

/** Which of a domain's figures are clearly beyond their limits, judged as those of all mails. `arrived`: its mails that did. */
export function toPoor(
  domain: MailSeriesAnswer["domains"][number],
  arrived: number,
  reported: Reported,
): Readonly<Record<"bounced" | "complained", boolean>> {
  const { sent, bounced, hard_bounced: hard = bounced, complained } = domain;
  return {
    bounced: reported.bounced && judgeCeiling(hard, sent, MAIL_LIMITS.bounceMax) === "poor",
    complained: reported.complained && judgeComplaints(complained, arrived) === "poor",
  };
}

/** The mail as a whole: poor where one rate is, good where all are, else why it can't be said. */
export function toOverall(rates: Readonly<Record<RateName, Rate>>): RateState {
  const states = RATE_NAMES.map((name) => rates[name].state);
  const worst = (["poor", "unknown", "few", "unsure"] as const).find((state) => states.includes(state));
  if (worst) return worst;
  return states.includes("none") ? "none" : "good";
}
