import { type KeyObject, verify } from "node:crypto";
import * as z from "zod/mini";
import { ReportRefusedError } from "../refusals.ts";

/** No line break: with one, two different messages could have the same string to sign. `Message` alone may hold some. */
const line = z.string().check(z.maxLength(4096), z.regex(/^[^\r\n]*$/));

const common = {
  MessageId: z.string().check(z.regex(/^[\w-]{1,100}$/)),
  TopicArn: line,
  Message: z.string(),
  Timestamp: z.iso.datetime(),
  SignatureVersion: z.enum(["1", "2"]),
  Signature: line,
  SigningCertURL: line,
};

const snsMessage = z.discriminatedUnion("Type", [
  z.object({ ...common, Type: z.literal("Notification"), Subject: z.optional(line) }),
  z.object({
    ...common,
    Type: z.enum(["SubscriptionConfirmation", "UnsubscribeConfirmation"]),
    Token: line,
    SubscribeURL: line,
  }),
]);

/** A message of Amazon SNS as it is posted over HTTPS, not proven yet. */
export type SnsMessage = z.infer<typeof snsMessage>;
export type SnsConfirmation = Exclude<SnsMessage, { Type: "Notification" }>;

/** @throws ReportRefusedError 400 it is malformed, 403 it has no envelope */
export function parseSnsMessage(raw: Buffer): SnsMessage {
  const body = parseJson(raw.toString("utf8"));
  const message = snsMessage.safeParse(body);
  if (message.success) return message.data;
  if (isRawDelivery(body)) throw new ReportRefusedError(403, "rawDelivery");
  const fields = message.error.issues.map(({ path }) => path.join(".")).filter(Boolean);
  throw fields.length > 0
    ? new ReportRefusedError(400, "brokenSnsMessage", { fields: fields.join(", ") })
    : new ReportRefusedError(400, "noSnsMessage");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ReportRefusedError(400, "noJson"); // the parser's own words quote the body
  }
}

/** An event of SES as SNS posts it with "raw message delivery": without envelope, and so without a signature. */
function isRawDelivery(body: unknown): boolean {
  if (typeof body !== "object" || body === null || Object.hasOwn(body, "Type")) return false;
  return Object.hasOwn(body, "eventType") || Object.hasOwn(body, "notificationType");
}

/** Name and value of each signed field, one a line, in the order of the names' bytes. Which fields: the type says, and is signed. */
function toStringToSign(message: SnsMessage): string {
  const { Message, MessageId, Timestamp, TopicArn, Type } = message;
  const fields =
    message.Type === "Notification"
      ? { Message, MessageId, Subject: message.Subject, Timestamp, TopicArn, Type }
      : {
          Message,
          MessageId,
          SubscribeURL: message.SubscribeURL,
          Timestamp,
          Token: message.Token,
          TopicArn,
          Type,
        };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}\n${value}\n`)
    .join("");
}

/** By `SignatureVersion`. The topic's owner chooses it; 1 is what a topic has without a choice. */
const ALGORITHMS = { "1": "RSA-SHA1", "2": "RSA-SHA256" } as const;

export function isSignedBy(key: KeyObject, message: SnsMessage): boolean {
  const signature = Buffer.from(message.Signature, "base64");
  return verify(ALGORITHMS[message.SignatureVersion], Buffer.from(toStringToSign(message)), key, signature);
}
