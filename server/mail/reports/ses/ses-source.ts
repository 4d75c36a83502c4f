import * as z from "zod/mini";
import {
  type BounceDetails,
  type MailReference,
  type ProvenReport,
  type Refusal,
  type ReportedEvent,
  ReportRefusedError,
  type ReportSource,
} from "../report-source.ts";
import { type SesEvent, type StoredSes, scrubSesMessage, sesEvent, toSesType } from "./ses-event.ts";
import {
  createSigningKeys,
  isCertificateAddress,
  isSignedBy,
  parseSnsMessage,
  type SigningKeys,
  type SnsConfirmation,
  type SnsMessage,
} from "./sns.ts";

/** Foyer writes each mail to one person, and SES takes at most 50 for one: a longer list is not about one of our mails. */
export const MAX_RECIPIENTS = 100;

const stored = z.union([
  z.object({ event: sesEvent }),
  z.object({ unreadable: z.string() }),
  z.object({ confirmation: z.string() }),
]);

/** The events of what `scrubSesMessage` left. @throws Error it can't be understood */
export function readSes(content: unknown): readonly ReportedEvent[] {
  const report = stored.parse(content);
  if ("unreadable" in report) throw new Error(report.unreadable);
  return "event" in report ? toEvents(report.event) : [];
}

function toEvents(event: SesEvent): ReportedEvent[] {
  const type = toSesType(event);
  switch (type) {
    case "Send":
      return toMailEvents(event, "sent", "send");
    case "Reject":
      return toMailEvents(event, "rejected", "reject", event.reject?.reason);
    case "Rendering Failure":
      return toMailEvents(event, "failed", "failure", event.failure?.errorMessage);
    case "Delivery":
      return toDeliveries(event);
    case "DeliveryDelay":
      return toDelays(event);
    case "Bounce":
      return toBounces(event);
    case "Complaint":
      return toComplaints(event);
    default:
      throw new Error(`“${type}” is not an event of Amazon SES that is read.`);
  }
}

/** News of the whole mail, which name no recipient of their own. */
function toMailEvents(
  event: SesEvent,
  kind: "sent" | "rejected" | "failed",
  news: string,
  diagnostic?: string,
): ReportedEvent[] {
  const mail = requirePart(event.mail, "mail");
  return requireRecipients(mail.destination).map((address) => ({
    kind,
    key: toKey(event, news),
    occurredAt: toMoment(mail.timestamp),
    recipient: address ?? null,
    mail: toReference(event),
    diagnostic,
  }));
}

function toDeliveries(event: SesEvent): ReportedEvent[] {
  const delivery = requirePart(event.delivery, "delivery");
  return requireRecipients(delivery.recipients).map((address) => ({
    kind: "delivered",
    key: toKey(event, "delivery"),
    occurredAt: toMoment(delivery.timestamp),
    recipient: address ?? null,
    mail: toReference(event),
    diagnostic: delivery.smtpResponse,
    reportingServer: toHost(delivery.reportingMTA),
  }));
}

function toDelays(event: SesEvent): ReportedEvent[] {
  const delay = requirePart(event.deliveryDelay, "deliveryDelay");
  return requireRecipients(delay.delayedRecipients).map((recipient) => ({
    kind: "delayed",
    key: toKey(event, "delay"),
    occurredAt: toMoment(delay.timestamp),
    recipient: recipient.emailAddress ?? null,
    mail: toReference(event),
    statusCode: toStatusCode(recipient.status),
    diagnostic: recipient.diagnosticCode ?? delay.delayType,
    reportingServer: toHost(delay.reportingMTA),
  }));
}

function toBounces(event: SesEvent): ReportedEvent[] {
  const bounce = requirePart(event.bounce, "bounce");
  return requireRecipients(bounce.bouncedRecipients).map((recipient) => ({
    kind: "bounced",
    key: bounce.feedbackId ?? toKey(event, "bounce"),
    occurredAt: toMoment(bounce.timestamp),
    recipient: recipient.emailAddress ?? null,
    mail: toReference(event),
    bounce: { type: toBounceType(bounce.bounceType), subtype: bounce.bounceSubType ?? "Undetermined" },
    statusCode: toStatusCode(recipient.status),
    diagnostic: recipient.diagnosticCode,
    feedbackId: bounce.feedbackId,
    reportingServer: toHost(bounce.reportingMTA),
  }));
}

function toComplaints(event: SesEvent): ReportedEvent[] {
  const complaint = requirePart(event.complaint, "complaint");
  const said = complaint.complaintFeedbackType?.toLowerCase();
  if (said === "auth-failure") return []; // about somebody's signature check (RFC 6591): nobody complains
  const people = requireRecipients(complaint.complainedRecipients);
  // Its one subtype means that SES sent nothing, since its own list holds the address: nobody complained of this mail.
  const feedbackType = complaint.complaintSubType?.toLowerCase() || said || null;
  return people.map(({ emailAddress }) => ({
    kind: "complained",
    key: complaint.feedbackId ?? toKey(event, "complaint"),
    occurredAt: toMoment(complaint.timestamp),
    recipient: emailAddress ?? null,
    mail: toReference(event),
    complaint: { feedbackType, userAgent: complaint.userAgent ?? null, candidates: people.length },
    feedbackId: complaint.feedbackId,
  }));
}

function requirePart<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new Error(`The event has no “${name}”, or not in a shape that is known.`);
  return part;
}

function requireRecipients<Recipient>(recipients: readonly Recipient[]): readonly Recipient[] {
  if (recipients.length === 0) throw new Error("The event names no recipient.");
  if (recipients.length > MAX_RECIPIENTS)
    throw new Error(`The event names ${recipients.length} recipients; at most ${MAX_RECIPIENTS} are read.`);
  return recipients;
}

function toReference(event: SesEvent): MailReference {
  const { messageId, headers } = requirePart(event.mail, "mail");
  const getHeader = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value;
  return {
    reportToken: getHeader("x-foyer-message-id"),
    providerId: messageId,
    messageId: getHeader("message-id"),
  };
}

/** What has no feedback id is reported once for each mail. */
function toKey(event: SesEvent, news: string): string {
  return `${requirePart(event.mail?.messageId, "mail.messageId")} ${news}`;
}

/** Types that SES may add are not known to be final. */
function toBounceType(type: string | undefined): BounceDetails["type"] {
  return type === "Permanent" || type === "Transient" ? type : "Undetermined";
}

function toStatusCode(status: string | undefined): string | undefined {
  return /^[245]\.\d{1,3}\.\d{1,3}$/.exec(status?.trim() ?? "")?.[0];
}

function toMoment(timestamp: string | undefined): string | null {
  const parsed = z.iso.datetime({ offset: true }).safeParse(timestamp);
  return parsed.success ? new Date(parsed.data).toISOString() : null;
}

/** `dns; mta.example` (RFC 3464) and `mta.example` → `mta.example` */
function toHost(reportingMta: string | undefined): string | undefined {
  return reportingMta?.replace(/^\w+;\s*/, "");
}

/** SNS gives a message up after an hour: what comes later is a copy that somebody kept. */
const MAX_AGE_MS = 60 * 60 * 1000;
/** How far this machine's clock may be behind. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/** Amazon's messages hold at most 256 KiB of text, which grows where the JSON around it escapes it. */
const BODY_MAX_BYTES = 512 * 1024;

export interface SesSourceOptions {
  /** ARNs of the topics that are listened to. Signatures alone prove nothing: everybody's topics are signed by the same keys. */
  topics: readonly string[];
  /** Gets certificates, and nothing else. */
  fetch?: typeof globalThis.fetch;
  now: () => Date;
}

/**
 * The way in for Amazon SES, through Amazon SNS over HTTPS. What costs nothing is asked first, so that strangers cause next to no
 * request of ours. While a certificate can't be fetched, `verify` throws AppError `unavailable`: SNS comes again.
 */
export function createSesSource({ topics, fetch = globalThis.fetch, now }: SesSourceOptions): ReportSource {
  const keys = createSigningKeys(fetch, now);
  return {
    name: "ses",
    bodyMaxBytes: BODY_MAX_BYTES,
    read: readSes,
    async verify(raw, _headers, ipAddress = null) {
      const message = parseSnsMessage(raw);
      refuseUnless(topics.includes(message.TopicArn), "topic");
      refuseUnless(isRecent(message.Timestamp, now()), "moment", { moment: message.Timestamp });
      await requireSignature(keys, message, ipAddress);
      return message.Type === "Notification" ? toReport(message) : toConfirmation(message);
    },
  };
}

function refuseUnless(isProven: boolean, refusal: Refusal, vars?: Record<string, string>): void {
  if (!isProven) throw new ReportRefusedError(403, refusal, vars);
}

function isRecent(timestamp: string, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(timestamp);
  return ageMs <= MAX_AGE_MS && ageMs >= -MAX_AHEAD_MS;
}

async function requireSignature(
  keys: SigningKeys,
  message: SnsMessage,
  ipAddress: string | null,
): Promise<void> {
  const address = message.SigningCertURL;
  refuseUnless(isCertificateAddress(address, message.TopicArn), "certificateAddress");
  refuseUnless(isSignedBy(await keys.get(address, ipAddress), message), "wrongSignature");
}

function toReport({ MessageId, Message }: SnsMessage): ProvenReport | undefined {
  const content = scrubSesMessage(Message);
  return content && { key: MessageId, content };
}

/** The link goes to staff alone: its token is not part of the content. */
function toConfirmation({ MessageId, Type, TopicArn, SubscribeURL }: SnsConfirmation): ProvenReport {
  refuseUnless(isSubscribeAddress(SubscribeURL, TopicArn), "link");
  const content: StoredSes = { confirmation: Type, topic: TopicArn };
  return { key: MessageId, content, confirmation: { url: SubscribeURL, topic: TopicArn } };
}

/** Of the text, of which a browser would make the same: https, the topic's region, neither port nor user. */
function isSubscribeAddress(address: string, topicArn: string): boolean {
  const url = URL.parse(address);
  const region = topicArn.split(":")[3];
  const hosts = [`sns.${region}.amazonaws.com`, `sns.${region}.amazonaws.com.cn`];
  return url !== null && url.href === address && hosts.some((host) => address.startsWith(`https://${host}/`));
}
