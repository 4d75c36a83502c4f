import * as z from "zod/mini";
import { ADMIN_LIMITS, DEFAULT_RANGE_DAYS, type RANGE_DAYS } from "../content/lists.ts";
import { rowId, storable } from "../values.ts";

export const BOUNCE_TYPES = ["Permanent", "Transient"] as const;
export const FEEDBACK_TYPES = ["abuse", "fraud", "not-spam", "other"] as const;

/** Days that a list looks back; `all`: as far as there is anything. */
const DATE_RANGES = ["7", "30", "90", "all"] as const satisfies readonly (
  | `${(typeof RANGE_DAYS)[number]}`
  | "all"
)[];

const NOTE_MAX_CHARS = 2000;

const wholeFrom1 = (max: number) => z.coerce.number().check(z.int(), z.minimum(1), z.maximum(max));

/** Absent: all but those that staff unsubscribed, the unprocessed ones first. */
const status = z.optional(z.enum(["unprocessed", "processed", "unsubscribed", "all"]));
const common = {
  status,
  date_range: z._default(z.enum(DATE_RANGES), `${DEFAULT_RANGE_DAYS}`),
  search: z.optional(z.string().check(storable, z.maxLength(ADMIN_LIMITS.searchMaxChars))),
  page: z._default(wholeFrom1(1_000_000), 1),
  per_page: z._default(wholeFrom1(ADMIN_LIMITS.pageSizeMax), ADMIN_LIMITS.pageSizeDefault),
};

/** GET /api/mail/bounces/ */
export const bouncesQuery = z.object({
  ...common,
  type: z._default(z.enum([...BOUNCE_TYPES, "all"]), "all"),
});
export type BouncesQuery = z.infer<typeof bouncesQuery>;

/** GET /api/mail/complaints/ */
export const complaintsQuery = z.object({
  ...common,
  feedback_type: z._default(z.enum([...FEEDBACK_TYPES, "all"]), "all"),
});
export type ComplaintsQuery = z.infer<typeof complaintsQuery>;

const owner = z.nullable(z.object({ id: z.number(), repr: z.string() }));
const triageRow = {
  id: z.number(),
  email_address: z.string(),
  is_processed: z.boolean(),
  feedback_id: z.nullable(z.string()),
  /** The id of the contact message that the mail was about. */
  contact_message: z.nullable(z.number()),
  /** The mail's own id. */
  message: z.number(),
  mail_kind: z.string(),
  /** The kind in words, in the caller's language. */
  mail_kind_label: z.string(),
  /** Who stopped mails to the address because of it. */
  unsubscribed_by: z.nullable(z.enum(["server", "staff"])),
  /** Of the suppression that holds because of it. */
  suppression: z.nullable(z.number()),
  /** What stops mails to the address at present, whatever made it; the wider scope, where there are two. */
  suppressed: z.nullable(
    z.object({
      id: z.number(),
      scope: z.enum(["all", "optional"]),
      created_at: z.string(),
      /** Username; null: the server, or an account that is gone. */
      created_by: z.nullable(z.string()),
      expires_at: z.nullable(z.string()),
    }),
  ),
  /** What the rules of suppression say: `ask`: staff decide. */
  verdict: z.enum(["all", "optional", "ask", "none"]),
  owner,
  note: z.nullable(z.string()),
  source: z.string(),
};

/** Specification B section 3, and what staff need beside it. */
export const bounce = z.object({
  ...triageRow,
  bounce_type: z.enum(BOUNCE_TYPES),
  bounce_subtype: z.string(),
  status_code: z.nullable(z.string()),
  diagnostic_code: z.nullable(z.string()),
  /** Key of the sentence that says what the code means (`contract/mail/reasons.ts`). */
  reason: z.string(),
  bounced_at: z.string(),
});
export type Bounce = z.infer<typeof bounce>;

export const complaint = z.object({
  ...triageRow,
  feedback_type: z.enum(FEEDBACK_TYPES),
  raw_feedback_type: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  complained_at: z.string(),
});
export type Complaint = z.infer<typeof complaint>;

/** What an answer of a page says beside its rows. */
export const pageOf = { total: z.number(), page: z.number(), pages: z.number() };

/** `total` and `summary` are exact, of all rows that the filters meet. */
export const bouncesAnswer = z.object({
  results: z.array(bounce),
  ...pageOf,
  summary: z.object({
    total: z.number(),
    unprocessed: z.number(),
    permanent: z.number(),
    temporary: z.number(),
  }),
});
export type BouncesAnswer = z.infer<typeof bouncesAnswer>;

export const complaintsAnswer = z.object({
  results: z.array(complaint),
  ...pageOf,
  summary: z.object({
    total: z.number(),
    unprocessed: z.number(),
    processed: z.number(),
    auto_unsubscribed: z.number(),
  }),
});
export type ComplaintsAnswer = z.infer<typeof complaintsAnswer>;

const ids = z.array(rowId).check(z.minLength(1), z.maxLength(ADMIN_LIMITS.batchRowsMax));

/** POST /api/mail/bounces/batch_process/ and batch_unsubscribe/ */
export const bouncesBatch = z.strictObject({ bounce_ids: ids });
/** POST /api/mail/complaints/batch_process/ and batch_unsubscribe/ */
export const complaintsBatch = z.strictObject({ complaint_ids: ids });

/** PATCH /api/mail/bounces/{id}/ and /api/mail/complaints/{id}/ */
export const triageChange = z.strictObject({
  note: z.optional(z.nullable(z.string().check(storable, z.maxLength(NOTE_MAX_CHARS)))),
  /** Somebody with access to the console; null: nobody. */
  owner_id: z.optional(z.nullable(rowId)),
});
export type TriageChange = z.infer<typeof triageChange>;

/**
 * Answer of a call that changes rows. `success` is false where no row is as the call wants it. `results` has every row that was
 * named; `undo`: POST the body there to put all of it back; null where nothing was changed.
 */
export const triageAnswer = z.object({
  success: z.boolean(),
  message: z.string(),
  results: z.array(z.object({ id: z.number(), ok: z.boolean(), code: z.string(), message: z.string() })),
  undo: z.nullable(z.object({ path: z.string(), body: z.object({ batch_id: z.string() }) })),
  /** Mails that were held back by what was lifted and can be sent again (`contract/mail/triage.ts`): at most 500 numbers. */
  stopped: z.optional(z.array(z.number())),
});
export type TriageAnswer = z.infer<typeof triageAnswer>;

/** POST /api/mail/triage/undo/ */
export const triageUndo = z.strictObject({ batch_id: z.uuid() });

/**
 * POST /api/mail/messages/resend/: mails that didn't arrive are sent anew, each as a mail of its own; POST
 * /api/mail/messages/{id}/resend/ is the same of one. Both answer a `triageAnswer`.
 */
export const resendRequest = z.strictObject({
  message_ids: z.array(rowId).check(z.minLength(1), z.maxLength(ADMIN_LIMITS.batchRowsMax)),
});
