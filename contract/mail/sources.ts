import * as z from "zod/mini";

/** Ways by which this site learns what became of a mail: the next server's own answer, and reports of five kinds. */
const MAIL_SOURCES = ["outbox", "ses", "postmark", "mailgun", "signed", "returned"] as const;
export type MailSourceName = (typeof MAIL_SOURCES)[number];

/** Moments are ISO text. */
const mailSource = z.object({
  name: z.enum(MAIL_SOURCES),
  is_set_up: z.boolean(),
  /** It reports mails that arrived, not only those that didn't. */
  tells_deliveries: z.boolean(),
  /** It reports complaints. */
  tells_complaints: z.boolean(),
  /** Where a provider is to post its reports; null: it isn't a webhook. */
  webhook_url: z.nullable(z.string()),
  last_event_at: z.nullable(z.string()),
  /** Why something that came by this way was not taken, the last time. */
  refused_at: z.nullable(z.string()),
  refusal: z.nullable(z.string()),
  /** The provider waits for somebody to open a link; `url` is for level 999 alone. It is never fetched by itself. */
  confirmation: z.nullable(
    z.object({ topic: z.string(), asked_at: z.string(), url: z.nullable(z.string()) }),
  ),
  /** Reports that could not be read; the first of them, for level 999, by its number. */
  unreadable: z.number(),
  first_unreadable_id: z.nullable(z.number()),
});
export type MailSource = z.infer<typeof mailSource>;

/** A mail to an address that sends it back, and how long its report takes. */
const returnTest = z.object({
  email: z.string(),
  asked_at: z.string(),
  /**
   * `queued`: not handed over yet; `waiting` for its report; `reported` by `source`; `refused`: our own server's answer was no,
   * which says nothing of the ways in.
   */
  state: z.enum(["queued", "waiting", "reported", "refused"]),
  source: z.nullable(z.enum(MAIL_SOURCES)),
  /** From hand-over to the report's arrival. */
  took_seconds: z.nullable(z.number()),
  /** What the next server said, once it said something. */
  response: z.nullable(z.string()),
});

/** Addresses that send mail back: one that doesn't exist at the site's own domain, or Amazon's simulator. */
export const RETURN_TEST_TARGETS = ["own", "simulator"] as const;

/** GET /api/mail/sources/; the calls below answer the same. */
export const mailSourcesAnswer = z.object({
  sources: z.array(mailSource),
  /** Reports of all ways in that wait to be read: moments, as a rule. */
  unread: z.number(),
  targets: z.array(z.object({ name: z.enum(RETURN_TEST_TARGETS), email: z.string() })),
  /** The latest test of the last 30 days; null: there was none. */
  test: z.nullable(returnTest),
});
export type MailSourcesAnswer = z.infer<typeof mailSourcesAnswer>;

/** POST /api/mail/sources/test/ (level 10; one at a time, a few an hour) */
export const returnTestRequest = z.strictObject({ target: z.enum(RETURN_TEST_TARGETS) });

/** POST /api/mail/sources/confirmed/ (level 999): somebody opened the link. */
export const confirmedRequest = z.strictObject({ name: z.enum(MAIL_SOURCES) });
