import { createHash } from "node:crypto";
import { classifyFailure, cleanDiagnostic, type Failure, findStatusCode } from "../../diagnostics.ts";
import { toAddressKey } from "../../secrets.ts";
import type { ProvenReport, ReportedEvent, ReportedKind, ReportSource } from "../report-source.ts";
import { readMime } from "./read-mime.ts";
import {
  findParagraph,
  findReportToken,
  findTokenIn,
  listQmailRecipients,
  type ReportedRecipient,
  type ReturnedMail,
  returnedMail,
} from "./returned-mail.ts";

/** What a report can say (RFC 3464, section 2.3.3). Anything else is no news. */
const KINDS: Readonly<Record<string, ReportedKind>> = {
  failed: "bounced",
  delayed: "delayed",
  delivered: "delivered",
  relayed: "delivered",
  expanded: "delivered",
};

/** ISO, or null: anybody may write anything there. */
function toMoment(written: string | null): string | null {
  const moment = new Date(written ?? "");
  const year = moment.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? moment.toISOString() : null;
}

/**
 * The same for the same report, however often and by whichever way it comes: of its Message-ID and the secret of our mail. One
 * without a Message-ID is known by all that is kept of it.
 */
function toReturnedKey(mail: ReturnedMail): string {
  // Parsed again, so that its fields stand in one order wherever it was stored.
  const name = mail.headers.messageId ?? JSON.stringify(returnedMail.parse(mail));
  return createHash("sha256")
    .update(`${name}\n${findReportToken(mail) ?? ""}`)
    .digest("hex")
    .slice(0, 40);
}

/** What all events of one report have in common. */
type CommonNews = Pick<ReportedEvent, "key" | "mail" | "occurredAt" | "reportingServer">;

function toCommonNews(mail: ReturnedMail): CommonNews {
  const server =
    mail.status.reportingServer ?? mail.feedback.reportingServer ?? mail.headers.fromDomain ?? undefined;
  return {
    key: toReturnedKey(mail),
    occurredAt: toMoment(mail.headers.date),
    mail: { reportToken: findReportToken(mail) },
    ...(server !== undefined && { reportingServer: server }),
  };
}

/** A return path of ours: a bounce that bounced. There is no person behind it. */
function isOwnAddress(address: string | null, mail: ReturnedMail): boolean {
  if (address === null) return false;
  const isReturnPath = findTokenIn(address) !== undefined;
  return isReturnPath || (mail.recipient !== null && toAddressKey(address) === toAddressKey(mail.recipient));
}

function toBounce(
  news: CommonNews,
  recipient: string | null,
  failure: Failure,
  isStructured: boolean,
): ReportedEvent {
  const { type, subtype, isCertain } = classifyFailure(failure);
  return {
    ...news,
    kind: "bounced",
    recipient,
    bounce: { type, subtype, isCertain: isCertain && isStructured },
    statusCode: findStatusCode(failure),
    diagnostic: failure.diagnostic ?? (failure.text && cleanDiagnostic(failure.text)),
  };
}

/** The address that we wrote to, where the report names it beside the one that it ended at. */
const toReported = ({ originalRecipient, finalRecipient }: ReportedRecipient) =>
  originalRecipient ?? finalRecipient;

function readRecipient(
  mail: ReturnedMail,
  common: CommonNews,
  recipient: ReportedRecipient,
): ReportedEvent | undefined {
  const { action, finalRecipient, originalRecipient } = recipient;
  const kind = Object.hasOwn(KINDS, action ?? "") ? KINDS[action ?? ""] : undefined;
  if (!kind) return undefined;
  const news = { ...common, occurredAt: toMoment(recipient.lastAttempt) ?? common.occurredAt };
  const failure = {
    statusCode: recipient.status ?? undefined,
    diagnostic: recipient.diagnostic ?? undefined,
    text: findParagraph(mail.excerpt, finalRecipient) ?? findParagraph(mail.excerpt, originalRecipient),
  };
  if (kind === "bounced") return toBounce(news, toReported(recipient), failure, true);
  return {
    ...news,
    kind,
    recipient: toReported(recipient),
    statusCode: findStatusCode({ statusCode: failure.statusCode }),
    diagnostic: failure.diagnostic,
  };
}

/** Servers that write no report: addresses stand in a header or in the text. Nothing of it is certain. */
function readTextBounce(mail: ReturnedMail, common: CommonNews): ReportedEvent[] {
  const { failedRecipients } = mail.headers;
  const recipients = failedRecipients.length
    ? failedRecipients.map((address) => ({ address, text: findParagraph(mail.excerpt, address) }))
    : listQmailRecipients(mail.excerpt);
  return recipients.map(({ address, text }) => toBounce(common, address, { text }, false));
}

function readStatus(mail: ReturnedMail, common: CommonNews): ReportedEvent[] {
  const { recipients } = mail.status;
  const events = recipients.length
    ? recipients.map((recipient) => readRecipient(mail, common, recipient)).filter((event) => !!event)
    : readTextBounce(mail, common);
  return events.filter((event) => !isOwnAddress(event.recipient, mail));
}

/** Providers take names out of addresses before they report. */
const REDACTED = /^\W*(redacted|removed|hidden|private|undisclosed|anonymi[sz]ed|x{3,})\W*@/i;

/** Failed proofs (RFC 6591, DMARC) are no complaints: no person complains. */
function readFeedback({ feedback, headers }: ReturnedMail, common: CommonNews): ReportedEvent[] {
  const { type, userAgent, originalRecipients, authFailure } = feedback;
  if (authFailure !== null || (type && /^(auth-failure|dmarc)/.test(type))) return [];
  const recipients: (string | null)[] = originalRecipients.map((one) => (REDACTED.test(one) ? null : one));
  return (recipients.length ? recipients : [null]).map((recipient) => ({
    ...common,
    kind: "complained",
    recipient,
    // Our mails have one recipient each, so a token alone names it.
    complaint: { feedbackType: type, userAgent, candidates: Math.max(recipients.length, 1) },
    ...(headers.messageId && { feedbackId: headers.messageId.replace(/^<|>$/g, "") }),
  }));
}

/**
 * The events of a returned mail. Those of a complaint may name no recipient: then the secret alone says who it was.
 * @throws Error when it isn't what `readMime` makes.
 */
export function readReturned(content: unknown): readonly ReportedEvent[] {
  const mail = returnedMail.parse(content);
  const common = toCommonNews(mail);
  switch (mail.kind) {
    case "delivery-status":
      return readStatus(mail, common);
    case "feedback-report":
      return readFeedback(mail, common);
    case "auto-reply":
    case "unknown":
      return [];
  }
}

/** A returned mail that may be stored. */
export interface ReturnedReport extends ProvenReport {
  /** The secret that it names, which may be invented. Null: it can belong to no mail, so the caller drops it. */
  token: string | null;
}

/**
 * Mail that comes back as a source of reports. It has no HTTP headers and no signature, so `prove` stands in the place of
 * `verify`: it takes the envelope's recipient, and what proves the report is the secret of a mail in the outbox.
 */
export interface ReturnedSource extends Pick<ReportSource, "name" | "read"> {
  /**
   * Scrubs a mail. Undefined: a machine's answer to it, such as "out of office". Never throws.
   * @param recipient the envelope's; without it the headers say whom the mail came to, as in a folder.
   */
  prove(raw: Uint8Array, envelope: { recipient?: string }): Promise<ReturnedReport | undefined>;
}

export const returnedSource: ReturnedSource = {
  name: "returned",
  async prove(raw, { recipient }) {
    const content = await readMime(raw, recipient);
    if (content.kind === "auto-reply") return undefined;
    return { key: toReturnedKey(content), content, token: findReportToken(content) ?? null };
  },
  read: readReturned,
};
