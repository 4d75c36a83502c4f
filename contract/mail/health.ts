import * as z from "zod/mini";

/** Limits of the specification (B, section 9), in percent. */
export const MAIL_LIMITS = { deliveryMin: 95, bounceMax: 5, complaintMax: 0.1 } as const;

/** Below so many mails a rate says nothing: one complaint of a hundred is a percent. */
export const MAIL_VOLUME_MIN = 100;
/** Fewer complaints than this raise no alarm, whatever their rate. */
const COMPLAINTS_MIN = 3;

/** z of a confidence of 95 percent. */
const Z = 1.96;

/** In percent. */
export interface Interval {
  low: number;
  high: number;
}

/** Wilson's interval of a share, with a confidence of 95 percent; null: there is nothing to judge by. */
export function toInterval(count: number, total: number): Interval | null {
  if (total <= 0) return null;
  const share = Math.min(1, count / total);
  const spread = Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
  const scale = 1 + Z ** 2 / total;
  const middle = share + Z ** 2 / (2 * total);
  const toPercent = (value: number) => Math.min(100, Math.max(0, (100 * value) / scale));
  return { low: toPercent(middle - spread), high: toPercent(middle + spread) };
}

/** `unknown`: too few mails, or nobody reports. */
export type RateHealth = "good" | "poor" | "unknown";

/** A rate that is to stay below `max`: poor when even the interval's lower end is above it. */
export function judgeCeiling(count: number, total: number, max: number): RateHealth {
  const interval = toInterval(count, total);
  if (!interval || total < MAIL_VOLUME_MIN) return "unknown";
  return interval.low > max ? "poor" : "good";
}

/** A rate that is to stay above `min`: poor when even the interval's upper end is below it. */
export function judgeFloor(count: number, total: number, min: number): RateHealth {
  const interval = toInterval(count, total);
  if (!interval || total < MAIL_VOLUME_MIN) return "unknown";
  return interval.high < min ? "poor" : "good";
}

/** Complaints, of which a few are nobody's fault. */
export function judgeComplaints(count: number, total: number): RateHealth {
  const health = judgeCeiling(count, total, MAIL_LIMITS.complaintMax);
  return health === "poor" && count < COMPLAINTS_MIN ? "good" : health;
}

/** What an alarm is about that figures raise. */
export const ALARM_KINDS = ["bounces", "complaints"] as const;
/** `restore`: the site came out of a backup, whose former site may have sent what waits. */
export const HOLD_KINDS = [...ALARM_KINDS, "restore"] as const;

const alarm = z.object({
  id: z.number(),
  kind: z.enum(HOLD_KINDS),
  began_at: z.string(),
  /** `count` of `total` mails of the last `days` days; `rate` and `limit` in percent. A limit of null: the count alone was too much. */
  count: z.number(),
  total: z.number(),
  days: z.number(),
  rate: z.nullable(z.number()),
  limit: z.nullable(z.number()),
  /** When staff got a mail about it; null: not yet, or nobody can get one. */
  mailed_at: z.nullable(z.string()),
  /** Mail that people can do without waits because of it; after a restore all but codes and tests. */
  holds: z.boolean(),
});
export type MailAlarm = z.infer<typeof alarm>;

/** GET /api/mail/hold/ and POST /api/mail/hold/release|discard/: alarms that nobody released, newest first. */
export const mailHoldAnswer = z.object({
  alarms: z.array(alarm),
  is_held: z.boolean(),
  /** Mails that wait for the release. */
  held: z.number(),
  /** Staff whose own address gets no mail, so that no alarm reaches them. */
  unreachable: z.array(z.string()),
  /** Other staff to whom the latest mail came back for good: their mail is never stopped by that alone. */
  returned: z.array(z.string()),
});
export type MailHoldAnswer = z.infer<typeof mailHoldAnswer>;
