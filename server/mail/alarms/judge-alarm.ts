import { toInterval } from "#contract/mail-health.ts";
import type { MailAlarm } from "#contract/mail-hold.ts";
import type { MailRules } from "./rules.ts";

export type AlarmKind = MailAlarm["kind"];

/** `count` of `total` mails. */
export interface Counted {
  count: number;
  total: number;
}

/** An alarm's figures in percent: `rate` is null of too few mails, `limit` where the count alone is too much. */
export interface Judged {
  rate: number | null;
  limit: number | null;
}

/**
 * Whether so much is an alarm; undefined: it is none. Few mails have no rate: two returns of twenty are no tenth of anything.
 * Where there is one, it is too high when even the interval's lower end is. Where there is none, the number alone
 * alarms; complaints never do so with fewer.
 */
export function judgeAlarm(kind: AlarmKind, { count, total }: Counted, rules: MailRules): Judged | undefined {
  const isBounces = kind === "bounces";
  const limit = isBounces ? rules.bounce_limit : rules.complaint_limit;
  const isMany = count >= (isBounces ? rules.bounce_count_min : rules.complaint_count_min);
  const interval = total >= rules.volume_min ? toInterval(count, total) : null;
  const rate = interval && Math.round((10_000 * count) / total) / 100;
  const isAbove = interval !== null && interval.low > limit;
  if (isAbove && (isBounces || isMany)) return { rate, limit };
  return isMany && interval === null ? { rate, limit: null } : undefined;
}
