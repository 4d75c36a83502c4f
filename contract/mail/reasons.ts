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
 * class (`5.7.512` → `5-7`), the subtype, the type, or the code's first digit; `unknown` where none of them is given.
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

const SLOT = /\{\{(\w+)\}\}/;

/** A sentence by its key, and what stood in its slots. */
export interface Filled<Key extends string> {
  key: Key;
  vars: Record<string, string>;
}

const escapeRegExp = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");

function toPattern(sentence: string): RegExp {
  // Every second part is the name of a slot.
  const parts = sentence
    .split(SLOT)
    .map((part, index) => (index % 2 ? `(?<${part}>.+?)` : escapeRegExp(part)));
  return new RegExp(`^${parts.join("")}$`, "s");
}

/**
 * Which of some sentences with slots (`{{mails}} mails came back …`) a text was filled from: the server stores in English what it
 * says by itself, and whoever reads it gets it in their own language. Undefined: a person's text. The first that fits counts.
 */
export function readFilled<Key extends string>(
  sentences: Readonly<Record<Key, string>>,
  text: string,
): Filled<Key> | undefined {
  for (const [key, sentence] of Object.entries(sentences) as [Key, string][]) {
    const found = toPattern(sentence).exec(text);
    if (found) return { key, vars: { ...found.groups } };
  }
  return undefined;
}
