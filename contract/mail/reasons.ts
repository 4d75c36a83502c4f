/**
 * Reasons for which a mail came back or waits, each with a sentence in `mail-codes.json` of both languages: an enhanced status code
 * (RFC 3463, with hyphens: dots part the keys of texts), its class, or a type or subtype of bounces.
 */
export const MAIL_REASONS = [
  "2",
  "4",
  "4-1",
  "4-2",
  "4-2-1",
  "4-2-2",
  "4-3",
  "4-3-1",
  "4-3-4",
  "4-4",
  "4-4-1",
  "4-4-2",
  "4-4-3",
  "4-4-7",
  "4-5",
  "4-6",
  "4-7",
  "4-7-1",
  "5",
  "5-1",
  "5-1-1",
  "5-1-2",
  "5-1-3",
  "5-1-4",
  "5-1-6",
  "5-1-7",
  "5-1-8",
  "5-1-10",
  "5-2",
  "5-2-1",
  "5-2-2",
  "5-2-3",
  "5-3",
  "5-3-4",
  "5-4",
  "5-4-1",
  "5-4-4",
  "5-4-6",
  "5-4-7",
  "5-5",
  "5-6",
  "5-7",
  "5-7-1",
  "5-7-23",
  "5-7-25",
  "5-7-26",
  "NoEmail",
  "Suppressed",
  "OnAccountSuppressionList",
  "MailboxFull",
  "MessageTooLarge",
  "ContentRejected",
  "AttachmentRejected",
  "Permanent",
  "Transient",
  "Undetermined",
  "unknown",
] as const;

type MailReason = (typeof MAIL_REASONS)[number];

/** Subtypes of bounces: the provider sent nothing, because of a list of its own. The code that it gives with that is `5.1.1`, which nobody has tried. */
export const PROVIDER_LISTS: ReadonlySet<string> = new Set(["Suppressed", "OnAccountSuppressionList"]);

/**
 * The key of the sentence that says most: that a provider's list holds the address, else of the code (`5.1.1` → `5-1-1`), its
 * class (`5.7.512` → `5-7`), the subtype, the type, or the code's first digit; `unknown` where none of them is told.
 */
export function toReasonKey({
  statusCode,
  bounce,
}: {
  statusCode?: string | undefined;
  bounce?: { type: string; subtype: string } | undefined;
}): MailReason {
  const [digit, subject, detail] = statusCode?.split(".") ?? [];
  const names = [
    bounce && PROVIDER_LISTS.has(bounce.subtype) ? bounce.subtype : undefined,
    `${digit}-${subject}-${detail}`,
    `${digit}-${subject}`,
    bounce?.subtype,
    bounce?.type,
    digit,
  ];
  for (const name of names) {
    const reason = MAIL_REASONS.find((known) => known === name);
    if (reason) return reason;
  }
  return "unknown";
}
