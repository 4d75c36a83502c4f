import { hash } from "node:crypto";
import { CONTACT_FIELDS, type ContactValues } from "#contract/contact.ts";

/** A client that didn't get the answer sends the same again: for so long, or up to twice that, it is one message. */
const SAME_MESSAGE_MS = 10 * 60_000;

/**
 * What stands in a challenge's place for a message that came without one.
 * @param now milliseconds since 1970.
 * @returns what it is stored by, and what it may be stored by already.
 */
export function toUnprovenIds(values: ContactValues, now: number): { id: string; formerId: string } {
  const content = JSON.stringify(CONTACT_FIELDS.map((field) => values[field]));
  const span = Math.floor(now / SAME_MESSAGE_MS);
  const toId = (of: number) => `unproven.${hash("sha256", `${of}.${content}`, "base64url")}`;
  return { id: toId(span), formerId: toId(span - 1) };
}
