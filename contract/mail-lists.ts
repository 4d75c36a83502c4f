import * as z from "zod/mini";

const link = z.nullable(z.object({ id: z.number(), repr: z.string() }));

/** What returned mail and complaints have in common. What another back end may lack is null there. */
const triaged = {
  id: z.number(),
  email_address: z.string(),
  is_processed: z.boolean(),
  feedback_id: z._default(z.nullable(z.string()), null),
  /** Number of the contact message whose mail it was. */
  contact_message: z._default(z.nullable(z.number()), null),
  mail_kind: z._default(z.nullable(z.string()), null),
  /** Number of the mail. */
  message: z._default(z.nullable(z.number()), null),
  /** Who has stopped mail to the address because of it. */
  unsubscribed_by: z._default(z.nullable(z.enum(["staff", "server"])), null),
  owner: z._default(link, null),
  note: z._default(z.nullable(z.string()), null),
  source: z._default(z.nullable(z.string()), null),
};

export const BOUNCE_TYPES = ["Permanent", "Transient"] as const;
export const FEEDBACK_TYPES = ["abuse", "fraud", "not-spam", "other"] as const;

/** Providers know more types than the documented ones; one of them must not cost the whole list. */
const bounceType = z.catch(z.enum(BOUNCE_TYPES), "Transient");
const feedbackType = z.catch(z.enum(FEEDBACK_TYPES), "other");

/** A returned mail (specification B section 3) and Foyer's fields for its triage. */
export const bounce = z.object({
  ...triaged,
  bounce_type: bounceType,
  bounce_subtype: z._default(z.nullable(z.string()), null),
  diagnostic_code: z._default(z.nullable(z.string()), null),
  status_code: z._default(z.nullable(z.string()), null),
  /** Key of the sentence that explains the code. */
  reason: z._default(z.nullable(z.string()), null),
  bounced_at: z.string(),
});

/** A complaint (specification B section 3) and Foyer's fields for its triage. */
export const complaint = z.object({
  ...triaged,
  feedback_type: feedbackType,
  /** What the report itself called it. */
  raw_feedback_type: z._default(z.nullable(z.string()), null),
  user_agent: z._default(z.nullable(z.string()), null),
  complained_at: z.string(),
});

const page = {
  total: z.number(),
  page: z.number(),
  pages: z.number(),
  /** Counts of the filters' rows by name; a back end may have none. */
  summary: z.optional(z.record(z.string(), z.number())),
};
/** GET /api/mail/bounces/ and /api/mail/complaints/ (specification B section 7). */
export const bouncesAnswer = z.object({ results: z.array(bounce), ...page });
export const complaintsAnswer = z.object({ results: z.array(complaint), ...page });

/**
 * What `recent_activity` of GET /api/mail/dashboard/ says of the same in words of its own, for back ends without those lists:
 * rows without numbers.
 */
export const recentBounces = z.object({
  recent_activity: z.object({
    bounces: z.array(
      z.object({
        email: z.string(),
        type: bounceType,
        subtype: z._default(z.nullable(z.string()), null),
        bounced_at: z.string(),
        is_processed: z.boolean(),
      }),
    ),
  }),
});
export const recentComplaints = z.object({
  recent_activity: z.object({
    complaints: z.array(
      z.object({
        email: z.string(),
        type: feedbackType,
        complained_at: z.string(),
        is_processed: z.boolean(),
      }),
    ),
  }),
});
