import * as z from "zod";
import { ConfigError } from "#server/config.ts";
import {
  type BounceDetails,
  diagnosticText,
  findStatusCode,
  ifUsable,
  isSameSecret,
  parseJson,
  parseShape,
  type ReportedEvent,
  ReportRefusedError,
  type ReportSource,
  recipientText,
  reportTokenText,
  shortText,
  signHex,
  toBounceDetails,
  toMessageId,
  toMoment,
} from "../report-source.ts";

const SHORTEST_KEY = 16;
/**
 * Mailgun calls again for eight hours with the signature of the first call: a narrower window would lose what happened while
 * the site was down. The token is the report's key, so that a call which comes again is stored once.
 */
const OLDEST_S = 9 * 60 * 60;
/** How far Mailgun's clock may be ahead of ours. */
const NEWEST_S = 15 * 60;

/** One event a call, with headers of the mail and none of its text. */
const BODY_MAX_BYTES = 64 * 1024;

const KEPT_EVENTS = ["delivered", "failed", "rejected", "complained", "unsubscribed"] as const;

const signatureSchema = z.object({
  signature: z.object({
    timestamp: z.union([z.string().regex(/^\d{1,12}$/), z.int().nonnegative().transform(String)]),
    token: shortText(100),
    signature: shortText(128),
  }),
  "event-data": z.object({ event: shortText(60) }),
});

const eventSchema = z.object({
  event: z.enum(KEPT_EVENTS),
  id: ifUsable(shortText(100)),
  timestamp: z.number().nonnegative(),
  recipient: recipientText,
  severity: ifUsable(z.enum(["permanent", "temporary"])),
  reason: ifUsable(shortText(60)),
  "delivery-status": ifUsable(
    z.object({
      code: ifUsable(z.int()),
      "enhanced-code": ifUsable(shortText(20)),
      message: ifUsable(diagnosticText),
      description: ifUsable(diagnosticText),
      "mx-host": ifUsable(shortText(255)),
    }),
  ),
  reject: ifUsable(z.object({ reason: ifUsable(diagnosticText), description: ifUsable(diagnosticText) })),
  message: ifUsable(z.object({ headers: z.object({ "message-id": ifUsable(shortText(998)) }) })),
  "user-variables": ifUsable(z.object({ "foyer-id": ifUsable(reportTokenText) })),
});

const dataSchema = z.object({ "event-data": eventSchema });

/** The signature isn't kept: whoever reads stored reports could send one of their own with it. */
const contentSchema = z.object({ token: shortText(100), event: eventSchema });

type Signature = z.output<typeof signatureSchema>["signature"];
type MailgunEvent = z.output<typeof eventSchema>;
type Fate = Pick<ReportedEvent, "kind" | "bounce" | "complaint">;

const bounced = (type: BounceDetails["type"], subtype: string): Fate => ({
  kind: "bounced",
  bounce: { type, subtype },
});

/** Mailgun's own codes of a mail that it doesn't send, because this recipient once opted out, complained or bounced. */
const SUPPRESSED_BOUNCE = 605;
const SUPPRESSED_WISHES: ReadonlySet<number> = new Set([606, 607]);

/** A failure in the words of its `reason`; `old` is said of mails that Mailgun gave up, with either severity. */
function toFailure(event: MailgunEvent, statusCode: string | undefined): Fate {
  const { severity, reason } = event;
  const code = event["delivery-status"]?.code ?? 0;
  if (reason === "suppress-unsubscribe" || reason === "suppress-complaint" || SUPPRESSED_WISHES.has(code))
    return { kind: "rejected" };
  if (reason === "suppress-bounce" || code === SUPPRESSED_BOUNCE)
    return bounced("Permanent", "OnAccountSuppressionList");
  if (reason === "old") return bounced("Transient", "General");
  // Mailgun tries again.
  if (severity === "temporary") return { kind: "delayed" };
  const isBlocked = reason === "espblock" || reason === "blacklisted" || reason === "greylisted";
  const otherwise: BounceDetails = isBlocked
    ? { type: "Transient", subtype: "General" }
    : { type: severity === undefined ? "Undetermined" : "Permanent", subtype: "General" };
  return { kind: "bounced", bounce: toBounceDetails(statusCode, otherwise) };
}

const complained = (feedbackType: string): Fate => ({
  kind: "complained",
  complaint: { feedbackType, userAgent: null, candidates: 1 },
});

function toFate(event: MailgunEvent, statusCode: string | undefined): Fate {
  switch (event.event) {
    case "delivered":
    case "rejected":
      return { kind: event.event };
    case "failed":
      return toFailure(event, statusCode);
    case "complained":
      return complained("abuse");
    case "unsubscribed":
      return complained("opt-out");
  }
}

function toDiagnostic({ "delivery-status": status, reject }: MailgunEvent): string | undefined {
  return status?.message || status?.description || reject?.description || reject?.reason || undefined;
}

/** Two webhooks for one event, the domain's and the account's, have a token each. An event's id is unique for a day. */
function toEventKey({ id, timestamp }: MailgunEvent, token: string): string {
  return id === undefined ? token : `${id}/${Math.floor(timestamp)}`;
}

function toEvent(event: MailgunEvent, token: string): ReportedEvent {
  const status = event["delivery-status"];
  const messageId = event.message?.headers["message-id"];
  const statusCode = findStatusCode(status?.["enhanced-code"], status?.message, status?.description);
  const fate = toFate(event, statusCode);
  const key = toEventKey(event, token);
  return {
    ...fate,
    key,
    occurredAt: toMoment(event.timestamp * 1000),
    recipient: event.recipient,
    mail: {
      reportToken: event["user-variables"]?.["foyer-id"],
      messageId: messageId && toMessageId(messageId),
    },
    statusCode,
    diagnostic: toDiagnostic(event),
    feedbackId: fate.bounce || fate.complaint ? key : undefined,
    reportingServer: status?.["mx-host"],
  };
}

/**
 * Mailgun's webhooks. Its signature stands in the body and covers a time and a token, not the event: that a token counts
 * once is a part of the proof. Opens and clicks are not kept. @throws ConfigError where the key is short
 */
export function createMailgunSource(deps: { signingKey: string; now: () => Date }): ReportSource {
  const { signingKey, now } = deps;
  if (signingKey.length < SHORTEST_KEY)
    throw new ConfigError(`Mailgun's HTTP webhook signing key must have at least ${SHORTEST_KEY} characters`);

  function requireProof({ timestamp, token, signature }: Signature): void {
    if (!isSameSecret(signature.toLowerCase(), signHex(signingKey, timestamp, token)))
      throw new ReportRefusedError(403, "mailgunSignature");
    const ageS = now().getTime() / 1000 - Number(timestamp);
    if (ageS > OLDEST_S || ageS < -NEWEST_S) throw new ReportRefusedError(403, "mailgunOldSignature");
  }

  return {
    name: "mailgun",
    bodyMaxBytes: BODY_MAX_BYTES,
    async verify(raw) {
      const body = parseJson(raw);
      const { signature, "event-data": data } = parseShape(signatureSchema, body);
      requireProof(signature);
      if (!KEPT_EVENTS.some((name) => name === data.event)) return undefined;
      const { "event-data": event } = parseShape(dataSchema, body);
      return { key: signature.token, content: { token: signature.token, event } };
    },
    read(content) {
      const { token, event } = contentSchema.parse(content);
      return [toEvent(event, token)];
    },
  };
}
