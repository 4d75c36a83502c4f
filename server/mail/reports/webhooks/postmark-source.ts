import { createHash } from "node:crypto";
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
  toBounceDetails,
  toMoment,
} from "../report-source.ts";

/** What Postmark's types of a bounce (`Type` of its bounce API) mean here. */
type Meaning =
  | { kind: "bounced"; bounce: BounceDetails }
  | { kind: "complained"; feedbackType: string }
  | { kind: "rejected" | "failed" };

const bounced = (type: BounceDetails["type"], subtype: string): Meaning => ({
  kind: "bounced",
  bounce: { type, subtype },
});

const MEANINGS: Readonly<Record<string, Meaning>> = {
  HardBounce: bounced("Permanent", "General"),
  BadEmailAddress: bounced("Permanent", "NoEmail"),
  SoftBounce: bounced("Transient", "General"),
  Transient: bounced("Transient", "General"),
  DnsError: bounced("Transient", "General"),
  // A provider blocks the sender, for content or reputation: nothing is wrong with the address.
  Blocked: bounced("Transient", "General"),
  VirusNotification: bounced("Transient", "ContentRejected"),
  Unknown: bounced("Undetermined", "Undetermined"),
  SpamComplaint: { kind: "complained", feedbackType: "abuse" },
  // A person or a filter, Postmark can't tell: shown as a complaint that suppresses nobody by itself.
  SpamNotification: { kind: "complained", feedbackType: "other" },
  Unsubscribe: { kind: "complained", feedbackType: "opt-out" },
  // Postmark itself didn't send, for the account's reasons; the receiver refused for our DMARC record's.
  ManuallyDeactivated: { kind: "rejected" },
  Unconfirmed: { kind: "rejected" },
  DMARCPolicy: { kind: "rejected" },
  SMTPApiError: { kind: "failed" },
  TemplateRenderingFailed: { kind: "failed" },
};

/** Answers of machines and people that say nothing of this mail's fate, and mail to us. Nothing of them is kept. */
const IGNORED_TYPES: ReadonlySet<string> = new Set([
  "Subscribe",
  "AutoResponder",
  "AddressChange",
  "OpenRelayTest",
  "ChallengeVerification",
  "InboundError",
]);

/** One event a call; with it, where the account asks for that, the returned mail's text. */
const BODY_MAX_BYTES = 256 * 1024;

/** Both have the shape of a bounce. */
const BOUNCES = ["Bounce", "SpamComplaint"] as const;

/** Our mails carry the header `X-PM-Metadata-foyer-id`. */
const metadataField = ifUsable(z.object({ "foyer-id": ifUsable(reportTokenText) }));

const bounceSchema = z.object({
  RecordType: z.enum(BOUNCES),
  ID: z.int().nonnegative(),
  Type: shortText(60),
  TypeCode: ifUsable(z.int()),
  MessageID: shortText(100),
  Metadata: metadataField,
  Email: recipientText,
  BouncedAt: shortText(60),
  Description: ifUsable(diagnosticText),
  Details: ifUsable(diagnosticText),
});

const deliverySchema = z.object({
  RecordType: z.literal("Delivery"),
  MessageID: shortText(100),
  Metadata: metadataField,
  Recipient: recipientText,
  DeliveredAt: shortText(60),
  Details: ifUsable(diagnosticText),
});

const contentSchema = z.discriminatedUnion("RecordType", [bounceSchema, deliverySchema]);
/** What every call of Postmark's has. */
const anySchema = z.object({ RecordType: shortText(60), Type: ifUsable(shortText(60)) });

type Content = z.output<typeof contentSchema>;
type Bounce = z.output<typeof bounceSchema>;
type Delivery = z.output<typeof deliverySchema>;

/** Postmark's calls have no id: it is made of what is the same when a call comes again. It holds no address. */
function toKey(content: Content): string {
  if (content.RecordType !== "Delivery") return `${content.RecordType}/${content.ID}`;
  const recipient = createHash("sha256").update(content.Recipient.toLowerCase()).digest("hex").slice(0, 16);
  return `Delivery/${content.MessageID}/${recipient}`;
}

function toReference({ MessageID, Metadata }: Content): ReportedEvent["mail"] {
  return { providerId: MessageID, reportToken: Metadata?.["foyer-id"] };
}

function toDeliveryEvent(content: Delivery): ReportedEvent {
  return {
    kind: "delivered",
    key: toKey(content),
    occurredAt: toMoment(content.DeliveredAt),
    recipient: content.Recipient,
    mail: toReference(content),
    diagnostic: content.Details || undefined,
  };
}

function toMeaning({ RecordType, Type }: Bounce): Meaning {
  const type = RecordType === "SpamComplaint" ? "SpamComplaint" : Type;
  return (Object.hasOwn(MEANINGS, type) && MEANINGS[type]) || bounced("Undetermined", Type);
}

function toBounceEvent(content: Bounce): ReportedEvent {
  const meaning = toMeaning(content);
  const statusCode = findStatusCode(content.Details, content.Description);
  return {
    kind: meaning.kind,
    key: toKey(content),
    occurredAt: toMoment(content.BouncedAt),
    recipient: content.Email,
    mail: toReference(content),
    ...(meaning.kind === "bounced" && { bounce: toBounceDetails(statusCode, meaning.bounce) }),
    ...(meaning.kind === "complained" && {
      complaint: { feedbackType: meaning.feedbackType, userAgent: null, candidates: 1 },
    }),
    statusCode,
    diagnostic: content.Details || content.Description || undefined,
    feedbackId: String(content.ID),
  };
}

/** `Basic …` → `user:password`; empty where it is nothing of the kind. */
function toCredentials(header: string | undefined): string {
  const encoded = /^Basic +([a-z0-9+/]+=*)$/i.exec(header ?? "")?.[1] ?? "";
  return Buffer.from(encoded, "base64").toString("utf8");
}

/**
 * Postmark's webhooks. Postmark signs nothing: the user and password that stand in the webhook's address prove it.
 * Subscriptions, opens and clicks are not kept. @throws ConfigError where one of the two can't be used
 */
export function createPostmarkSource({ user, password }: { user: string; password: string }): ReportSource {
  if (!user || user.includes(":") || !password)
    throw new ConfigError("Postmark's webhook needs a user, without a colon, and a password");
  const own = `${user}:${password}`;

  return {
    name: "postmark",
    bodyMaxBytes: BODY_MAX_BYTES,
    async verify(raw, headers) {
      if (!isSameSecret(toCredentials(headers.authorization), own))
        throw new ReportRefusedError(403, "password");
      const body = parseJson(raw);
      const { RecordType, Type } = parseShape(anySchema, body);
      const isBounce = BOUNCES.some((name) => name === RecordType);
      if (!isBounce && RecordType !== "Delivery") return undefined;
      if (isBounce && Type !== undefined && IGNORED_TYPES.has(Type)) return undefined;
      const content = parseShape(contentSchema, body);
      return { key: toKey(content), content };
    },
    read(content) {
      const stored = contentSchema.parse(content);
      return [stored.RecordType === "Delivery" ? toDeliveryEvent(stored) : toBounceEvent(stored)];
    },
  };
}
