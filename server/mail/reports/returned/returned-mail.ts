import * as z from "zod/mini";
import { cleanDiagnostic } from "../../diagnostics.ts";

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

const TOKEN = /^[0-9a-f]{24}$/;
const IN_ADDRESS = /^[^@]*\+b-([0-9a-f]{24})@[^@]+$/i;

/** The secret in an address that a mail of ours returns to (`toReturnPath` in outbox/message.ts). */
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

/** Fields of one block of a report, or headers of a mail: values by the name in lower case, in their order. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/** So many fields of a block are read. */
const MAX_FIELDS = 100;

function toFields(block: string): Fields {
  const fields = new Map<string, string[]>();
  const lines = block.replace(/\n[ \t]+/g, " ").split("\n", MAX_FIELDS);
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const values = fields.get(name);
    const value = line.slice(colon + 1).trim();
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}

/** Blocks of fields, parted by empty lines; folded lines are joined. At most so many blocks. */
export function parseBlocks(text: string, maxBlocks: number): Fields[] {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/^[ \t]+$/gm, "")
    .split(/\n{2,}/)
    .filter((block) => block.includes(":"))
    .slice(0, maxBlocks)
    .map(toFields);
}

/** What can be stored as JSON in PostgreSQL: no control characters, no half characters. Null: nothing is left. */
export function toField(
  value: string | undefined,
  maxChars: number = RETURNED_LIMITS.fieldChars,
): string | null {
  const plain = (value ?? "")
    .slice(0, 4 * maxChars)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, maxChars)
    .toWellFormed();
  return plain === "" ? null : plain;
}

export function getField(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.[0];
}

/** What stands behind the type of a typed value: `dns; mx.example.net`, `smtp; 550 no`. */
export function withoutType(value: string | undefined): string | undefined {
  return value?.replace(/^[\w-]{1,40};/, "");
}

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/;

/** RFC 6533 writes what isn't ASCII as `\x{F6}` where it has to pass an old server. */
function decodeUtf8Address(address: string): string {
  return address.replace(/\\x\{([0-9a-f]{1,6})\}/gi, (written, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point > 0x7f && point <= 0x10ffff ? String.fromCodePoint(point) : written;
  });
}

/** An address, with or without angle brackets. Null: it is none. */
export function toAddress(value: string | undefined): string | null {
  const address = toField(value?.trim().replace(/^<(.*)>$/, "$1"), RETURNED_LIMITS.addressChars + 1);
  if (!address || address.length > RETURNED_LIMITS.addressChars || !ADDRESS.test(address)) return null;
  return decodeUtf8Address(address).toWellFormed();
}

/** The address of a typed field: `rfc822; name@example.net`, `utf-8; …`. Other systems' addresses are null. */
export function toTypedAddress(value: string | undefined): string | null {
  const [, type, address] = /^(?:([\w-]{1,40})\s*;)?(.*)$/s.exec(value?.trim() ?? "") ?? [];
  if (type !== undefined && !/^(rfc822|utf-8)$/i.test(type)) return null;
  return toAddress(address);
}

const MAX_LINES = 60;

/** Where the copy of a returned mail begins: a line that says so, or a header of a mail, quoted or not. */
const COPY_BEGINS =
  /^[>|\s]{0,20}(-{2,}.{0,40}\b(copy|original|returned|forwarded)\b|(return-path|received|message-id|subject|from|to|date|reply-to|mime-version|dkim-signature|content-type|list-unsubscribe|x-foyer-[\w-]+)\s?:)/i;

/** What a report says to people, without what it returns and without codes. Null: nothing is left. */
export function toExcerpt(text: string | undefined): string | null {
  const lines = (text ?? "").split(/\r\n?|\n/, 4 * MAX_LINES);
  const end = lines.findIndex((line) => COPY_BEGINS.test(line));
  const excerpt = lines
    .slice(0, end === -1 ? MAX_LINES : Math.min(end, MAX_LINES))
    // How far a line is indented says what it belongs to.
    .map((line) => " ".repeat(Math.min(line.length - line.trimStart().length, 8)) + cleanDiagnostic(line))
    .join("\n")
    .replace(/\n[ \n]*\n/g, "\n\n")
    .slice(0, RETURNED_LIMITS.excerptChars)
    .toWellFormed()
    .trimEnd();
  return excerpt === "" ? null : excerpt;
}

const toIndent = (line: string) => line.length - line.trimStart().length;
const ADDRESS_LINE = /^\s*<?([^\s<>:]+@[^\s<>:]+)>?(?::|\s|$)/;

/** The lines about each address: from the line that begins with it to an empty line or the next address. */
function listParagraphs(excerpt: string): { address: string; text: string }[] {
  const paragraphs: { address: string; lines: string[]; indent: number }[] = [];
  let open: (typeof paragraphs)[number] | undefined;
  for (const line of excerpt.split("\n")) {
    const address = toAddress(ADDRESS_LINE.exec(line)?.[1]);
    if (address && !(open && toIndent(line) > open.indent)) {
      open = { address, lines: [], indent: toIndent(line) };
      paragraphs.push(open);
    } else if (line.trim() === "") open = undefined;
    open?.lines.push(line.trim());
  }
  return paragraphs.map(({ address, lines }) => ({ address, text: lines.join(" ") }));
}

/** What the text says of one recipient. */
export function findParagraph(excerpt: string | null, address: string | null): string | undefined {
  if (!excerpt || !address) return undefined;
  const wanted = address.toLowerCase();
  return listParagraphs(excerpt).find((paragraph) => paragraph.address.toLowerCase() === wanted)?.text;
}

/** qmail's own form of a bounce (QSBMF): text alone, which begins with these words. */
const QMAIL = /^\s*Hi\. This is the /;

export function isQmailBounce(text: string | null): boolean {
  return QMAIL.test(text ?? "");
}

/** Recipients of a bounce of qmail's; of any other text none, since it may only warn. */
export function listQmailRecipients(excerpt: string | null): { address: string; text: string }[] {
  if (!isQmailBounce(excerpt)) return [];
  return listParagraphs(excerpt ?? "").slice(0, RETURNED_LIMITS.recipients);
}
