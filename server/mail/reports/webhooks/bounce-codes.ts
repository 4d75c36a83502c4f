import { ADDRESS_CODES } from "../../diagnostics.ts";
import type { BounceDetails } from "../reported-event.ts";

/** A number with dots around it is an address or a version. */
const STATUS_CODE = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)/;

/** The first enhanced status code of a refusal (RFC 3463) in what a server said. */
export function findStatusCode(...texts: (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const found = text?.match(STATUS_CODE)?.[0];
    if (found) return found;
  }
  return undefined;
}

/**
 * What a status code says of a bounce; without a code, or with one that says little, the provider's own word for it.
 * A refusal of us or of the message (5.7.x, 5.6.x) doesn't condemn the address, whatever the provider calls it.
 */
export function toBounceDetails(statusCode: string | undefined, otherwise: BounceDetails): BounceDetails {
  if (statusCode === undefined) return otherwise;
  if (statusCode === "5.1.1") return { type: "Permanent", subtype: "NoEmail" };
  // Providers write 5.1.0 of addresses too; staff are asked about it.
  if (ADDRESS_CODES.has(statusCode) || statusCode === "5.1.0")
    return { type: "Permanent", subtype: "General" };
  if (/^[45]\.2\.2$/.test(statusCode)) return { type: "Transient", subtype: "MailboxFull" };
  if (/^[45]\.(2\.3|3\.4)$/.test(statusCode)) return { type: "Transient", subtype: "MessageTooLarge" };
  if (/^[45]\.6\./.test(statusCode)) return { type: "Transient", subtype: "ContentRejected" };
  if (/^(4\.|5\.7\.)/.test(statusCode)) return { type: "Transient", subtype: "General" };
  return otherwise;
}
