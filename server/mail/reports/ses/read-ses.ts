import * as z from "zod/mini";
import type { BounceDetails, MailReference, ReportedEvent } from "../reported-event.ts";
import { type SesEvent, sesEvent, toSesType } from "./ses-event.ts";

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

/** What has no feedback id is told once of each mail. */
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
