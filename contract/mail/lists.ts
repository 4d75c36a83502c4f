import * as z from "zod/mini";
import * as triage from "./triage.ts";

type Lenient<Shape extends z.core.$ZodShape> = {
  [Name in keyof Shape]: z.ZodMiniDefault<z.ZodMiniNullable<Shape[Name]>>;
};

/** The same fields, each of which a back end may lack: null then. */
function toLenient<Shape extends z.core.$ZodShape>(shape: Shape): Lenient<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => [name, z._default(z.nullable(field), null)]);
  return Object.fromEntries(fields) as Lenient<Shape>; // entries lose the names that the type keeps
}

/** Providers know more types than the documented ones; one of them must not cost the whole list. */
const bounceType = z.catch(z.enum(triage.BOUNCE_TYPES), "Transient");
const feedbackType = z.catch(z.enum(triage.FEEDBACK_TYPES), "other");

/** What both have in any back end (specification B section 3). */
const documented = { id: z.number(), email_address: z.string(), is_processed: z.boolean() };

/** A returned mail as any back end may answer it: Foyer's own fields for its triage (`triage.ts`) are null where it has none. */
export const bounce = z.object({
  ...toLenient(triage.bounce.shape),
  ...documented,
  bounce_type: bounceType,
  bounced_at: z.string(),
});

/** A complaint, likewise. */
export const complaint = z.object({
  ...toLenient(triage.complaint.shape),
  ...documented,
  feedback_type: feedbackType,
  complained_at: z.string(),
});

const page = {
  ...triage.pageOf,
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
const recent = { email: z.string(), is_processed: z.boolean() };
export const recentBounces = z.object({
  recent_activity: z.object({
    bounces: z.array(
      z.object({
        ...recent,
        type: bounceType,
        subtype: z._default(z.nullable(z.string()), null),
        bounced_at: z.string(),
      }),
    ),
  }),
});
export const recentComplaints = z.object({
  recent_activity: z.object({
    complaints: z.array(z.object({ ...recent, type: feedbackType, complained_at: z.string() })),
  }),
});
