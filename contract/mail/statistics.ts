import * as z from "zod/mini";

/** Mails of a dashboard's "recent activity" (specification B, section 9). */
export const RECENT_MAX = 20;

/** GET /api/mail/stats/, …/series/: UTC days, today included. */
export const statsQuery = z.object({
  days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(365)), 30),
});

/**
 * Mails that were handed over within the days, with what became of each by now. Rates are percent with two decimals; null: not
 * known, because nobody reports it or there were no mails.
 */
export const mailStats = z.object({
  total_sent: z.number(),
  total_delivered: z.number(),
  total_bounced: z.number(),
  total_complained: z.nullable(z.number()),
  total_rejected: z.number(),
  /** Delivered, of those whose end is known. */
  delivery_rate: z.nullable(z.number()),
  /** Returned for good, of all that were sent. */
  bounce_rate: z.nullable(z.number()),
  /** Complaints, of those that were delivered. */
  complaint_rate: z.nullable(z.number()),
  /** What the rates are made of. */
  hard_bounced: z.optional(z.number()),
  settled: z.optional(z.number()),
  /** No way in reports deliveries: `delivered` counts what the next server took. */
  delivered_is_accepted: z.optional(z.boolean()),
});
export type MailStats = z.infer<typeof mailStats>;

/** GET /api/mail/stats/ */
export const mailStatsAnswer = z.object({ success: z.boolean(), data: mailStats });

const counts = {
  sent: z.number(),
  delivered: z.number(),
  bounced: z.number(),
  complained: z.number(),
  rejected: z.number(),
  /** Of `bounced`: returned for good. */
  hard_bounced: z.optional(z.number()),
  /** Nothing is known of them yet. */
  open: z.number(),
};

/** GET /api/mail/stats/series/: every day of the range, oldest first, and the ten domains with most mails. */
export const mailSeriesAnswer = z.object({
  days: z.array(z.object({ date: z.string(), ...counts })),
  domains: z.array(z.object({ domain: z.string(), ...counts })),
});
export type MailSeriesAnswer = z.infer<typeof mailSeriesAnswer>;

/** The documented states of an activity; the console's own are finer. */
const ACTIVITY_STATES = ["pending", "sent", "delivered", "bounced", "complained", "failed"] as const;

/** GET /api/mail/dashboard/ (specification B, sections 3 and 7) */
export const mailDashboardAnswer = z.object({
  recent_activity: z.object({
    deliveries: z.array(
      z.object({
        id: z.number(),
        email: z.string(),
        status: z.enum(ACTIVITY_STATES),
        timestamp: z.string(),
        sent_at: z.nullable(z.string()),
        delivered_at: z.nullable(z.string()),
        failure_reason: z.nullable(z.string()),
      }),
    ),
    bounces: z.array(
      z.object({
        email: z.string(),
        type: z.string(),
        subtype: z.string(),
        bounced_at: z.string(),
        is_processed: z.boolean(),
      }),
    ),
    complaints: z.array(
      z.object({
        email: z.string(),
        type: z.string(),
        complained_at: z.string(),
        is_processed: z.boolean(),
      }),
    ),
  }),
});
/** What any back end says of its latest mails: the documented fields (specification B, section 7). */
export const recentDeliveries = z.object({
  recent_activity: z.object({
    deliveries: z.array(
      z.object({
        id: z.optional(z.number()),
        email: z.string(),
        status: z.enum(ACTIVITY_STATES),
        timestamp: z.optional(z.nullable(z.string())),
        sent_at: z.nullable(z.string()),
        delivered_at: z.nullable(z.string()),
        failure_reason: z.nullable(z.string()),
      }),
    ),
  }),
});
export type RecentDelivery = z.infer<typeof recentDeliveries>["recent_activity"]["deliveries"][number];
export type MailDashboardAnswer = z.infer<typeof mailDashboardAnswer>;
