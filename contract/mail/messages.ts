import * as z from "zod/mini";
import { storable } from "../values.ts";

/** Mails of one recipient that one answer holds, newest first. */
export const TIMELINE_MAX = 100;

/** GET /api/mail/timeline/ */
export const timelineQuery = z.object({
  email: z.string().check(z.trim(), storable, z.minLength(3), z.maxLength(254)),
});

const timelineEvent = z.object({
  id: z.number(),
  kind: z.string(),
  source: z.string(),
  /** When this site received it. */
  created_at: z.string(),
  /** When it happened, as the source says. */
  occurred_at: z.nullable(z.string()),
  bounce_type: z.nullable(z.string()),
  bounce_subtype: z.nullable(z.string()),
  feedback_type: z.nullable(z.string()),
  status_code: z.nullable(z.string()),
  diagnostic: z.nullable(z.string()),
  report_id: z.nullable(z.number()),
});

/** Everything that is known of the mails to one address: what was sent, what became of each, and whether mail to it is stopped. */
export const timelineAnswer = z.object({
  email: z.string(),
  suppression: z.nullable(
    z.object({
      id: z.number(),
      scope: z.enum(["all", "optional"]),
      reason: z.string(),
      source: z.string(),
      created_at: z.string(),
      /** Username; null: the server, or an account that is gone. */
      created_by: z.nullable(z.string()),
      expires_at: z.nullable(z.string()),
    }),
  ),
  mails: z.array(
    z.object({
      id: z.number(),
      kind: z.string(),
      /** The kind in words, in the caller's language. */
      kind_label: z.string(),
      created_at: z.string(),
      state: z.string(),
      /** Oldest first. */
      events: z.array(timelineEvent),
    }),
  ),
  has_more: z.boolean(),
});
export type TimelineAnswer = z.infer<typeof timelineAnswer>;

/** GET /api/mail/reports/{id}/ (level 999): a report as it came, scrubbed, and what was read out of it. */
export const mailReportAnswer = z.object({
  id: z.number(),
  source: z.string(),
  received_at: z.string(),
  state: z.string(),
  error: z.nullable(z.string()),
  parser_version: z.nullable(z.number()),
  /** JSON; null once it was blanked. */
  content: z.unknown(),
  events: z.array(timelineEvent),
});
export type MailReportAnswer = z.infer<typeof mailReportAnswer>;

/** POST /api/mail/reports/replay/ (level 999): those that could not be read; with `all` every report. */
export const replayRequest = z.nullish(z.strictObject({ all: z.optional(z.boolean()) }));

/** Also of POST /api/mail/reports/{id}/replay/. They are read within moments; `count` is how many. */
export const replayAnswer = z.object({ success: z.boolean(), message: z.string(), count: z.number() });
export type ReplayAnswer = z.infer<typeof replayAnswer>;

/** A mail that was written to a file in place of being sent. `date` is an ISO moment. */
export const mailboxEntry = z.object({
  file: z.string(),
  date: z.string(),
  to: z.string(),
  subject: z.string(),
});
export type MailboxEntry = z.infer<typeof mailboxEntry>;

/** GET /api/mail/mailbox/, in development only: newest first. */
export const mailboxAnswer = z.object({ mails: z.array(mailboxEntry) });

/** GET /api/mail/mailbox/{file}/: a mail as its reader gets it. A part that it lacks is null. */
export const mailboxMail = z.extend(mailboxEntry, {
  from: z.string(),
  /** In their order; a name may come more than once. */
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  text: z.nullable(z.string()),
  html: z.nullable(z.string()),
});
export type MailboxMail = z.infer<typeof mailboxMail>;
