import * as z from "zod/mini";

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
