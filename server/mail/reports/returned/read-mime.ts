import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { cleanDiagnostic } from "../../diagnostics.ts";
import {
  type Fields,
  findTokenIn,
  getField,
  isQmailBounce,
  parseBlocks,
  RETURNED_LIMITS,
  type ReportedRecipient,
  type ReturnedMail,
  toAddress,
  toExcerpt,
  toField,
  toTypedAddress,
  withoutType,
} from "./returned-mail.ts";

/** The returned mail is never looked into as a message: only its head is read. */
const PARSER = {
  forceRfc822Attachments: true,
  maxRfc822NestingDepth: 0,
  maxHeadersSize: 256 * 1024,
  attachmentEncoding: "utf8",
} as const;

const REPORT_TYPES = {
  "delivery-status": ["message/delivery-status", "message/global-delivery-status"],
  "feedback-report": ["message/feedback-report"],
} as const;
const ORIGINAL_TYPES = ["message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers"];

const MAX_REPORT_CHARS = 512 * 1024;
const MAX_HEAD_CHARS = 64 * 1024;

const NO_FIELDS: Fields = new Map();

function findPart(mail: Email, types: readonly string[]): string | undefined {
  const part: Attachment | undefined = mail.attachments.find(({ mimeType }) => types.includes(mimeType));
  return typeof part?.content === "string" ? part.content : undefined;
}

function listHeaders(mail: Email, name: string): string[] {
  return mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
}

const getHeader = (mail: Email, name: string): string | undefined => listHeaders(mail, name)[0];

const listAddresses = (addresses: Address[] | undefined): string[] =>
  (addresses ?? []).flatMap((entry) => entry.address ?? (entry.group ?? []).map(({ address }) => address));

/** The address that a mail in a folder came to: the first one that names a mail of ours, else the first. */
function findRecipient(mail: Email): string | undefined {
  const addresses = [
    ...listHeaders(mail, "delivered-to"),
    ...listHeaders(mail, "x-original-to"),
    ...listAddresses(mail.to),
  ].slice(0, RETURNED_LIMITS.recipients);
  return addresses.find((address) => findTokenIn(toAddress(address))) ?? addresses[0];
}

const toClean = (value: string | undefined): string | null =>
  value === undefined ? null : toField(cleanDiagnostic(value), 500);

function readHeaders(mail: Email): ReturnedMail["headers"] {
  const reportType = /report-type\s*=\s*"?([\w-]{1,40})/i.exec(getHeader(mail, "content-type") ?? "")?.[1];
  return {
    messageId: toField(getHeader(mail, "message-id")),
    date: toField(getHeader(mail, "date")),
    fromDomain: toField(mail.from?.address?.split("@").at(-1)),
    autoSubmitted: toField(getHeader(mail, "auto-submitted"))?.toLowerCase() ?? null,
    reportType: reportType?.toLowerCase() ?? null,
    failedRecipients: listHeaders(mail, "x-failed-recipients")
      .flatMap((value) => value.split(",", RETURNED_LIMITS.recipients))
      .map(toAddress)
      .filter((address) => address !== null)
      .slice(0, RETURNED_LIMITS.recipients),
  };
}

function toRecipient(fields: Fields): ReportedRecipient {
  return {
    finalRecipient: toTypedAddress(getField(fields, "final-recipient")),
    originalRecipient: toTypedAddress(getField(fields, "original-recipient")),
    action: toField(getField(fields, "action")?.toLowerCase()),
    status: toField(getField(fields, "status")),
    remoteServer: toField(withoutType(getField(fields, "remote-mta"))),
    diagnostic: toClean(withoutType(getField(fields, "diagnostic-code"))),
    lastAttempt: toField(getField(fields, "last-attempt-date")),
  };
}

const isOfRecipient = (fields: Fields) => fields.has("final-recipient") || fields.has("original-recipient");

function readStatus(text: string): ReturnedMail["status"] {
  const blocks = parseBlocks(text.slice(0, MAX_REPORT_CHARS), 1 + RETURNED_LIMITS.recipients);
  const [first = NO_FIELDS] = blocks;
  return {
    reportingServer: toField(withoutType(getField(first, "reporting-mta"))),
    envelopeId: toField(getField(first, "original-envelope-id")),
    recipients: blocks.filter(isOfRecipient).slice(0, RETURNED_LIMITS.recipients).map(toRecipient),
  };
}

function readFeedback(text: string): ReturnedMail["feedback"] {
  const [fields = NO_FIELDS] = parseBlocks(text.slice(0, MAX_REPORT_CHARS), 1);
  const recipients = (fields.get("original-rcpt-to") ?? []).map(toAddress).filter((one) => one !== null);
  return {
    type: toField(getField(fields, "feedback-type")?.toLowerCase(), 40),
    userAgent: toField(toClean(getField(fields, "user-agent")) ?? undefined),
    originalSender: toAddress(getField(fields, "original-mail-from")),
    originalRecipients: [...new Set(recipients)].slice(0, RETURNED_LIMITS.recipients),
    reportingServer: toField(withoutType(getField(fields, "reporting-mta"))),
    authFailure: toField(getField(fields, "auth-failure")),
  };
}

function readOriginal(text: string): ReturnedMail["original"] {
  const [fields = NO_FIELDS] = parseBlocks(text.slice(0, MAX_HEAD_CHARS).trimStart(), 1);
  return {
    foyerMessageId: toField(getField(fields, "x-foyer-message-id")),
    messageId: toField(getField(fields, "message-id")),
  };
}

/** A report by its structure (RFC 6522), then by what servers that know no reports do, then what a machine answers. */
function toKind(mail: Email, headers: ReturnedMail["headers"], excerpt: string | null): ReturnedMail["kind"] {
  if (/^\s*multipart\/report\b/i.test(getHeader(mail, "content-type") ?? "")) {
    const hasPart = (kind: keyof typeof REPORT_TYPES) => findPart(mail, REPORT_TYPES[kind]) !== undefined;
    if (headers.reportType !== "feedback-report" && hasPart("delivery-status")) return "delivery-status";
    if (hasPart("feedback-report")) return "feedback-report";
  }
  if (headers.failedRecipients.length > 0 || isQmailBounce(excerpt)) return "delivery-status";
  return headers.autoSubmitted && headers.autoSubmitted !== "no" ? "auto-reply" : "unknown";
}

/** What can't be read at all: too large, too deep, or no mail. */
function toUnreadable(recipient: string | undefined): ReturnedMail {
  return {
    kind: "unknown",
    recipient: toAddress(recipient),
    headers: {
      messageId: null,
      date: null,
      fromDomain: null,
      autoSubmitted: null,
      reportType: null,
      failedRecipients: [],
    },
    excerpt: null,
    status: readStatus(""),
    feedback: readFeedback(""),
    original: readOriginal(""),
  };
}

function cutLines(raw: Uint8Array): Uint8Array {
  let end = -1;
  for (let lines = 0; lines < RETURNED_LIMITS.mailLines; lines += 1) {
    end = raw.indexOf(0x0a, end + 1);
    if (end === -1) return raw;
  }
  return raw.subarray(0, end);
}

async function parse(raw: Uint8Array): Promise<Email | undefined> {
  if (raw.byteLength > RETURNED_LIMITS.mailBytes) return undefined;
  try {
    return await PostalMime.parse(cutLines(raw), PARSER);
  } catch {
    // It passed one of the parser's limits. Anybody may send us anything, so that is no fault of ours to report.
    return undefined;
  }
}

/**
 * Takes from a returned mail what may be kept of it. Never throws: what can't be read is `unknown`.
 * @param recipient the envelope's; without it the address that the mail's headers name, as mails in a folder have it.
 */
export async function readMime(raw: Uint8Array, recipient?: string): Promise<ReturnedMail> {
  const mail = await parse(raw);
  if (!mail) return toUnreadable(recipient);
  const headers = readHeaders(mail);
  const excerpt = toExcerpt(mail.text);
  const kind = toKind(mail, headers, excerpt);
  const readPart = (of: ReturnedMail["kind"], types: readonly string[]) =>
    kind === of ? (findPart(mail, types) ?? "") : "";
  return {
    kind,
    recipient: toAddress(recipient ?? findRecipient(mail)),
    headers,
    // What a person's own machine answers is a letter: none of it is kept.
    excerpt: kind === "delivery-status" || kind === "feedback-report" ? excerpt : null,
    status: readStatus(readPart("delivery-status", REPORT_TYPES["delivery-status"])),
    feedback: readFeedback(readPart("feedback-report", REPORT_TYPES["feedback-report"])),
    original: readOriginal(findPart(mail, ORIGINAL_TYPES) ?? ""),
  };
}
