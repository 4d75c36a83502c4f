import { LIMITS } from "./limits.ts";
import { CONTACT_FIELDS, type ContactField, type ContactValues } from "./site/contact.ts";

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
    [isLonger(LIMITS.contactNameMaxChars), "contact_name_long"],
  ],
  email: [
    [isEmpty, "contact_email_required"],
    [isLonger(LIMITS.emailMaxChars), "contact_email_long"],
    [(text: string) => !ADDRESS.test(text), "contact_email_invalid"],
  ],
  subject: [
    [isEmpty, "contact_subject_required"],
    [isShorter(LIMITS.contactSubjectMinChars), "contact_subject_short"],
    [isLonger(LIMITS.contactSubjectMaxChars), "contact_subject_long"],
  ],
  message: [
    [isEmpty, "contact_message_required"],
    [isShorter(LIMITS.contactMessageMinChars), "contact_message_short"],
    [isLonger(LIMITS.contactMessageMaxChars), "contact_message_long"],
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

/** Everything that is wrong with a message, in the order of the form. */
export function findContactFaults(values: ContactValues): { field: ContactField; code: ContactFault }[] {
  return CONTACT_FIELDS.flatMap((field) => {
    const code = findContactFault(field, values[field]);
    return code ? [{ field, code }] : [];
  });
}
