import type { ReturnedMail } from "./returned-mail.ts";

const TOKEN = /^[0-9a-f]{24}$/;
const IN_ADDRESS = /^[^@]*\+b-([0-9a-f]{24})@[^@]+$/i;

/** The secret in an address that a mail of ours returns to (`toReturnPath` in build-message.ts). */
export function findTokenIn(address: string | null | undefined): string | undefined {
  return IN_ADDRESS.exec(address ?? "")?.[1]?.toLowerCase();
}

/** Servers may write an envelope id as they got it, in xtext (RFC 3461, section 4): `+2B` is `+`. */
function toToken(written: string | null): string | undefined {
  const plain = (written ?? "").replace(/\+([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const token = plain.trim().toLowerCase();
  return TOKEN.test(token) ? token : undefined;
}

/**
 * The secret of the mail that came back: of the address it came to, our envelope id, our header in the returned mail, or the
 * return path that a complaint names. Its Message-ID is no secret, so nothing is found by it.
 */
export function findReportToken(mail: ReturnedMail): string | undefined {
  return (
    findTokenIn(mail.recipient) ??
    toToken(mail.status.envelopeId) ??
    toToken(mail.original.foyerMessageId) ??
    findTokenIn(mail.feedback.originalSender)
  );
}
