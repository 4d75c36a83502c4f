import * as z from "zod/mini";

/** What an alarm is about. */
export const ALARM_KINDS = ["bounces", "complaints"] as const;

const alarm = z.object({
  id: z.number(),
  kind: z.enum(ALARM_KINDS),
  began_at: z.string(),
  /** `count` of `total` mails of the last `days` days; `rate` and `limit` in percent. A limit of null: the count alone was too much. */
  count: z.number(),
  total: z.number(),
  days: z.number(),
  rate: z.nullable(z.number()),
  limit: z.nullable(z.number()),
  /** When staff got a mail about it; null: not yet, or nobody can get one. */
  mailed_at: z.nullable(z.string()),
  /** Mail that people can do without waits because of it. */
  holds: z.boolean(),
});
export type MailAlarm = z.infer<typeof alarm>;

/** GET /api/mail/hold/ and POST /api/mail/hold/release/: alarms that nobody released, newest first. */
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
