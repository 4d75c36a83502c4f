import { type ALARM_KINDS, toInterval } from "#contract/mail/health.ts";
import { type ChangeCache, type ChangeFeed, createChangeCache } from "../../db/change-feed.ts";
import type { Queryable } from "../../db/pool.ts";

/** What staff set in the content model `mail.rules`. Limits are percent. */
export interface MailRules {
  days: number;
  volume_min: number;
  bounce_limit: number;
  bounce_count_min: number;
  complaint_limit: number;
  complaint_count_min: number;
  alarm_holds: boolean;
  bounce_stops: boolean;
  complaint_stops: boolean;
  transient_count_min: number;
  transient_days: number;
}

async function selectRules(db: Queryable): Promise<MailRules> {
  const { rows } = await db.query<MailRules>(
    `SELECT days, volume_min, bounce_limit::float8, bounce_count_min, complaint_limit::float8, complaint_count_min, alarm_holds,
       bounce_stops, complaint_stops, transient_count_min, transient_days
     FROM mail_rules`,
  );
  const [row] = rows;
  if (!row) throw new Error("the row of mail_rules is gone");
  return row;
}

export const RULES_MODEL = "mail.rules";

/** The rules as they stand. @throws what the database throws: no rule is guessed. */
export interface ReadMailRules {
  get(db: Queryable): Promise<MailRules>;
}

/** Reads the rules once for each change of them. */
export function createMailRules(feed: Pick<ChangeFeed, "subscribe" | "isLive">): ReadMailRules {
  const cache: ChangeCache<MailRules> = createChangeCache(feed, 1);
  return {
    get: (db) => cache.get("rules", { models: [RULES_MODEL], load: () => selectRules(db) }),
  };
}

export type AlarmKind = (typeof ALARM_KINDS)[number];

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
