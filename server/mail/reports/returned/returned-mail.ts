import * as z from "zod/mini";

/** Limits of what is read and kept of one returned mail. */
export const RETURNED_LIMITS = {
  mailBytes: 1024 * 1024,
  /** What stands below is not read: it is the returned mail, and the parser needs 20 µs a line. */
  mailLines: 20_000,
  /** Recipients that one report may speak of; the rest is not read. */
  recipients: 20,
  excerptChars: 1_500,
  addressChars: 320,
  fieldChars: 200,
} as const;

const text = z.nullable(z.string());

/** What a report says of one recipient (RFC 3464, section 2.3). Addresses come without their type. */
const reportedRecipient = z.object({
  finalRecipient: text,
  originalRecipient: text,
  /** In lower case: `failed`, `delayed`, `delivered`, `relayed`, `expanded`. */
  action: text,
  status: text,
  remoteServer: text,
  diagnostic: text,
  lastAttempt: text,
});

/**
 * All that is kept of a mail that came back: no subject, no body, nothing of the mail that it returns but its two ids.
 * Dates are as they were written.
 */
export const returnedMail = z.object({
  kind: z.enum(["delivery-status", "feedback-report", "auto-reply", "unknown"]),
  /** The address that it came to. */
  recipient: text,
  headers: z.object({
    messageId: text,
    date: text,
    fromDomain: text,
    autoSubmitted: text,
    reportType: text,
    failedRecipients: z.array(z.string()),
  }),
  /** What it says to people: lines, without codes, cut where the returned mail begins. */
  excerpt: text,
  status: z.object({
    reportingServer: text,
    envelopeId: text,
    recipients: z.array(reportedRecipient),
  }),
  feedback: z.object({
    type: text,
    userAgent: text,
    originalSender: text,
    originalRecipients: z.array(z.string()),
    reportingServer: text,
    authFailure: text,
  }),
  original: z.object({ foyerMessageId: text, messageId: text }),
});

export type ReturnedMail = z.infer<typeof returnedMail>;
export type ReportedRecipient = z.infer<typeof reportedRecipient>;
