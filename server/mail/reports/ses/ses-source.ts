import { type Refusal, ReportRefusedError } from "../refusals.ts";
import type { ProvenReport, ReportSource } from "../report-source.ts";
import { readSes } from "./read-ses.ts";
import { type StoredSes, scrubSesMessage } from "./ses-event.ts";
import { createSigningKeys, isCertificateAddress, type SigningKeys } from "./signing-certificate.ts";
import { isSignedBy, parseSnsMessage, type SnsConfirmation, type SnsMessage } from "./sns.ts";

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
