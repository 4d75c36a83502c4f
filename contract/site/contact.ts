import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";

/** Fields of the contact form, in their order (specification A section 2.5). */
export const CONTACT_FIELDS = ["name", "email", "subject", "message"] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
export type ContactValues = Record<ContactField, string>;

/** A field that people don't see: whoever fills it in is a program. */
export const CONTACT_TRAP = "website";

/** `GET /api/contact/challenge/`: what a browser works off while somebody writes. It is good for one message. */
export const contactChallenge = z.object({
  challenge: z.string(),
  /** So many puzzles, each to find a number n with SHA-256 of `challenge.index.n` beginning with so many zero bits. */
  puzzles: z.number(),
  zero_bits: z.number(),
  /** A message is refused before this time has passed, and after that one. */
  wait_ms: z.number(),
  lifetime_ms: z.number(),
});
export type ContactChallenge = z.infer<typeof contactChallenge>;

const MAX_CHARS: Record<ContactField, number> = {
  name: LIMITS.contactNameMaxChars,
  email: LIMITS.emailMaxChars,
  subject: LIMITS.contactSubjectMaxChars,
  message: LIMITS.contactMessageMaxChars,
};

/** Beyond it nothing is looked at any more: spaces at the ends, and signs of several units, make a text longer than it counts. */
export const CONTACT_TYPED_MAX: Record<ContactField, number> = {
  name: 4 * MAX_CHARS.name,
  email: 4 * MAX_CHARS.email,
  subject: 4 * MAX_CHARS.subject,
  message: 4 * MAX_CHARS.message,
};
/** Answer of `POST /api/contact/` (specification A section 7). A failed call answers it together with the error envelope. */
export const contactAnswer = z.object({
  success: z.boolean(),
  error: z.optional(z.nullable(z.string())),
  details: z.optional(z.nullable(z.string())),
});
export type ContactAnswer = z.infer<typeof contactAnswer>;

/** The contact form as a post without JavaScript left it: what was typed, what is wrong with it, and what comes next. */
export interface ContactDraft {
  values: ContactValues;
  /** Messages by field, in the language of the page. */
  errors: Partial<ContactValues>;
  /** Why the whole message was refused. */
  error: string | null;
  /** Signed; sent back with the confirmation. Null where there is nothing to confirm. */
  challenge: string | null;
  isSent: boolean;
}

/** An address of the kind that people write: something before and after one `@`, and a dot in what comes after. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\.]+(\.[^\s@<>,;:"()[\]\\.]+)+$/;

/** Length in characters as people count them: a Turkish letter or an emoji is one. */
export function countChars(text: string): number {
  return Array.from(text).length;
}

const isEmpty = (text: string) => text === "";
const isShorter = (min: number) => (text: string) => countChars(text) < min;
const isLonger = (max: number) => (text: string) => countChars(text) > max;

/** The rules of specification A section 5, first fault first. The texts of the codes are `contact:errors` in `locales/`. */
const RULES = {
  name: [
    [isEmpty, "contact_name_required"],
    [isShorter(LIMITS.contactNameMinChars), "contact_name_short"],
    [isLonger(MAX_CHARS.name), "contact_name_long"],
  ],
  email: [
    [isEmpty, "contact_email_required"],
    [isLonger(MAX_CHARS.email), "contact_email_long"],
    [(text: string) => !ADDRESS.test(text), "contact_email_invalid"],
  ],
  subject: [
    [isEmpty, "contact_subject_required"],
    [isShorter(LIMITS.contactSubjectMinChars), "contact_subject_short"],
    [isLonger(MAX_CHARS.subject), "contact_subject_long"],
  ],
  message: [
    [isEmpty, "contact_message_required"],
    [isShorter(LIMITS.contactMessageMinChars), "contact_message_short"],
    [isLonger(MAX_CHARS.message), "contact_message_long"],
  ],
} as const satisfies Record<ContactField, readonly (readonly [(text: string) => boolean, string])[]>;

export type ContactFault = (typeof RULES)[ContactField][number][1];

/** Zero-width characters join what people see; alone they are nothing. */
const HAS_VISIBLE = /[^\s\p{C}]/u;

/** A value as it is counted, sent and stored: trimmed, one kind of line end, nothing that can't be seen or stored. */
export function toContactText(field: ContactField, text: string): string {
  const visible =
    field === "message"
      ? text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "")
      : text.replace(/[\s\p{Cc}]+/gu, " ");
  const whole = visible.toWellFormed().trim();
  return HAS_VISIBLE.test(whole) ? whole : "";
}

/** All values as they are counted, sent and stored. */
export function toContactValues(typed: ContactValues): ContactValues {
  return {
    name: toContactText("name", typed.name),
    email: toContactText("email", typed.email),
    subject: toContactText("subject", typed.subject),
    message: toContactText("message", typed.message),
  };
}

/** What is wrong with a value that `toContactText` gave, by the rules that page and server share. */
export function findContactFault(field: ContactField, value: string): ContactFault | undefined {
  return RULES[field].find(([isWrong]) => isWrong(value))?.[1];
}

/** Texts that are much too long, before anything else is done with them. */
export function findFarTooLong(
  typed: Partial<Record<string, unknown>>,
): { field: ContactField; code: ContactFault }[] {
  return CONTACT_FIELDS.flatMap((field) => {
    const text = typed[field];
    const isFar = typeof text === "string" && text.length > CONTACT_TYPED_MAX[field];
    return isFar ? [{ field, code: `contact_${field}_long` as const }] : [];
  });
}

/** Everything that is wrong with a message, in the order of the form. */
export function findContactFaults(values: ContactValues): { field: ContactField; code: ContactFault }[] {
  return CONTACT_FIELDS.flatMap((field) => {
    const code = findContactFault(field, values[field]);
    return code ? [{ field, code }] : [];
  });
}
