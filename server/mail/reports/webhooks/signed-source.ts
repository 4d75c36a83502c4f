import * as z from "zod";
import { ConfigError } from "#server/config.ts";
import {
  diagnosticText,
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
  toMessageId,
  toMoment,
} from "../report-source.ts";

const SHORTEST_SECRET = 32;
const WINDOW_S = 5 * 60;
const MAX_EVENTS = 100;
/** So many events with every field and diagnostics of a server's usual length. */
const BODY_MAX_BYTES = 256 * 1024;
/** A header is anybody's: more signatures than secrets in rotation are not looked at. */
const MAX_SIGNATURES = 5;

const eventSchema = z
  .object({
    type: z.enum(["delivered", "delayed", "bounced", "complained", "rejected"]),
    recipient: recipientText,
    at: z.iso.datetime({ offset: true }),
    message_id: shortText(998).optional(),
    token: reportTokenText.optional(),
    provider_id: shortText(200).optional(),
    bounce: z
      .object({
        type: z.enum(["permanent", "transient"]),
        subtype: shortText(60).optional(),
        status: z
          .string()
          .regex(/^[245]\.\d{1,3}\.\d{1,3}$/)
          .optional(),
        diagnostic: diagnosticText.optional(),
      })
      .optional(),
    complaint: z
      .object({
        feedback_type: shortText(60).toLowerCase().optional(),
        user_agent: shortText(200).optional(),
      })
      .optional(),
  })
  .refine(({ type, bounce }) => type !== "bounced" || bounce, { path: ["bounce"], error: "Required" });

const bodySchema = z.object({ id: shortText(200), events: z.array(eventSchema).min(1).max(MAX_EVENTS) });

type SignedEvent = z.output<typeof eventSchema>;

/** `t=1764000000,v1=…,v1=…`; names that aren't known are skipped. */
function parseSignature(header: string): { t: string; marks: string[] } {
  const pairs = header.split(",").map((part) => part.trim().split("="));
  const all = (name: string) => pairs.filter(([key]) => key === name).map(([, value = ""]) => value);
  return { t: all("t")[0] ?? "", marks: all("v1").slice(0, MAX_SIGNATURES) };
}

function toBounce({ type, bounce }: SignedEvent): Pick<ReportedEvent, "bounce"> {
  if (type !== "bounced" || !bounce) return {};
  const isPermanent = bounce.type === "permanent";
  return {
    bounce: { type: isPermanent ? "Permanent" : "Transient", subtype: bounce.subtype ?? "General" },
  };
}

function toComplaint({ type, complaint }: SignedEvent): Pick<ReportedEvent, "complaint"> {
  if (type !== "complained") return {};
  const { feedback_type: feedbackType = null, user_agent: userAgent = null } = complaint ?? {};
  return { complaint: { feedbackType, userAgent, candidates: 1 } };
}

function toEvent(event: SignedEvent, key: string): ReportedEvent {
  const isFeedback = event.type === "bounced" || event.type === "complained";
  return {
    kind: event.type,
    key,
    occurredAt: toMoment(event.at),
    recipient: event.recipient,
    mail: {
      reportToken: event.token,
      providerId: event.provider_id,
      messageId: event.message_id && toMessageId(event.message_id),
    },
    ...toBounce(event),
    ...toComplaint(event),
    statusCode: event.bounce?.status,
    diagnostic: event.bounce?.diagnostic,
    feedbackId: isFeedback ? key : undefined,
  };
}

/**
 * Reports of any provider, in the JSON of docs/mail-webhook.md, signed with a secret of the site's own. Several secrets are
 * good while one takes another's place. @throws ConfigError where a secret is short
 */
export function createSignedSource(deps: { secrets: readonly string[]; now: () => Date }): ReportSource {
  const { secrets, now } = deps;
  if (secrets.length === 0 || secrets.some((secret) => secret.length < SHORTEST_SECRET))
    throw new ConfigError(
      `The secret of the signed mail webhook must have at least ${SHORTEST_SECRET} characters: openssl rand -hex 32 makes one`,
    );

  function requireProof(raw: Buffer, header: string | string[] | undefined): void {
    if (typeof header !== "string") throw new ReportRefusedError(403, "noSignature");
    const { t, marks } = parseSignature(header);
    const isSigned = secrets
      .map((secret) => signHex(secret, `${t}.`, raw))
      .some((own) => marks.some((mark) => isSameSecret(mark.toLowerCase(), own)));
    if (!isSigned) throw new ReportRefusedError(403, "unknownSignature");
    const ageS = Math.abs(now().getTime() / 1000 - Number(t));
    if (!/^\d{1,12}$/.test(t) || ageS > WINDOW_S) throw new ReportRefusedError(403, "oldSignature");
  }

  return {
    name: "signed",
    bodyMaxBytes: BODY_MAX_BYTES,
    async verify(raw, headers) {
      requireProof(raw, headers["foyer-signature"]);
      const content = parseShape(bodySchema, parseJson(raw));
      return { key: content.id, content };
    },
    read(content) {
      const { id, events } = bodySchema.parse(content);
      return events.map((event, index) => toEvent(event, `${id}/${index}`));
    },
  };
}
