import { type KeyObject, verify, X509Certificate } from "node:crypto";
import { LRUCache } from "lru-cache";
import * as z from "zod/mini";
import { toAddressBlock } from "../../../base/actor.ts";
import { createWindowCounter } from "../../../base/counters.ts";
import { AppError } from "../../../base/errors.ts";
import { ReportRefusedError } from "../report-source.ts";

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

const TIMEOUT_MS = 3000;
const MAX_BYTES = 16 * 1024;
const OWNER = "sns.amazonaws.com";

const MAX_KEYS = 8;
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

const MAX_FAILURES = 100;
const REFUSED_MS = 60 * 1000;
/** SNS tries three times more, 20 s apart, and then gives the report up. */
const UNREACHABLE_MS = 10 * 1000;

/**
 * Names of certificates can be made up without end, and whether one is real is only known once it was asked for: so many may
 * turn out wrong. A minute, because SNS tries for a minute.
 */
const WRONG_BY_ADDRESS = { max: 5, windowMs: 60 * 1000 };
const WRONG_IN_ALL = { max: 20, windowMs: 60 * 1000 };

/**
 * Exactly where Amazon keeps these certificates. Any other path is the SNS API, whose answers can hold what a stranger put
 * there; any other host is a stranger's.
 */
const ADDRESS =
  /^https:\/\/sns\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?\/SimpleNotificationService-[0-9a-f]{32}\.pem$/;

/** Whether a certificate of this address may sign for the topic: both are of one region. As text and as a parsed URL. */
export function isCertificateAddress(address: string, topicArn: string): boolean {
  const [, partition, , region] = topicArn.split(":");
  const [, ownRegion, china] = ADDRESS.exec(address) ?? [];
  const isSameRegion = ownRegion !== undefined && ownRegion === region;
  return (
    isSameRegion && (china !== undefined) === (partition === "aws-cn") && URL.parse(address)?.href === address
  );
}

/** The keys with which SNS signs, by the address of their certificate. */
export interface SigningKeys {
  /**
   * The address must have passed `isCertificateAddress`. A certificate that was there once is never counted against anybody.
   * @param ipAddress whose report names it
   * @throws ReportRefusedError 403: what is there is no certificate of SNS
   * @throws AppError `unavailable`: Amazon can't be reached, or too many wrong names were asked for, so the report has to come again
   */
  get(address: string, ipAddress: string | null): Promise<KeyObject>;
}

interface Known {
  key: KeyObject;
  from: number;
  until: number;
}

export function createSigningKeys(fetchCertificate: typeof fetch, now: () => Date): SigningKeys {
  const known = new LRUCache<string, Known>({ max: MAX_KEYS });
  // Apart from the keys, so that made-up addresses can't push those out.
  const failures = new LRUCache<string, { error: unknown; until: number }>({ max: MAX_FAILURES });
  const running = new Map<string, Promise<KeyObject>>();
  const takeSlot = createSlots(() => now().getTime());

  async function load(address: string, giveBack: () => void): Promise<KeyObject> {
    try {
      const found = toKnown(await download(fetchCertificate, address), now().getTime());
      known.set(address, found);
      giveBack();
      return found.key;
    } catch (error) {
      const lifetimeMs = error instanceof ReportRefusedError ? REFUSED_MS : UNREACHABLE_MS;
      failures.set(address, { error, until: now().getTime() + lifetimeMs });
      throw error;
    } finally {
      running.delete(address);
    }
  }

  return {
    async get(address, ipAddress) {
      const time = now().getTime();
      const found = known.get(address);
      if (found && time >= found.from && time < found.until) return found.key;
      const failure = failures.get(address);
      if (failure && time < failure.until && failure.until - time <= REFUSED_MS) throw failure.error;
      const underWay = running.get(address);
      if (underWay) return underWay;
      // One whose time is over was Amazon's all the same. Having no slot is no failure of the address: others may ask for it.
      const loading = load(address, known.has(address) ? () => undefined : takeSlot(ipAddress));
      running.set(address, loading);
      return loading;
    },
  };
}

/** Slots for certificates that may be wrong: by the sender's address, and in all. They are given back where one is right. */
function createSlots(clock: () => number): (ipAddress: string | null) => () => void {
  const byAddress = createWindowCounter(WRONG_BY_ADDRESS, clock);
  const inAll = createWindowCounter(WRONG_IN_ALL, clock);
  return (ipAddress) => {
    const block = toAddressBlock(ipAddress);
    const retryAfterS = Math.max(byAddress.getWaitS(block), inAll.getWaitS(""));
    if (retryAfterS > 0) throw new AppError("unavailable", { retryAfterS });
    const remove = [byAddress.add(block), inAll.add("")];
    return () => {
      for (const one of remove) one();
    };
  };
}

async function download(fetchCertificate: typeof fetch, address: string): Promise<Buffer> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await readAnswer(await fetchCertificate(address, { redirect: "error", signal }));
  } catch (error) {
    if (error instanceof ReportRefusedError) throw error;
    throw new AppError("unavailable", { cause: error });
  }
}

async function readAnswer(response: Response): Promise<Buffer> {
  if (response.status !== 200) {
    await response.body?.cancel();
    const { status } = response;
    if (status >= 500 || status === 429) throw new Error(`The certificate's address answers ${status}.`);
    throw new ReportRefusedError(403, "certificateAnswer", { status });
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new ReportRefusedError(403, "certificateSize");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Who issued it isn't checked: that it lies at that address, behind TLS, is Amazon's proof. */
function toKnown(pem: Buffer, time: number): Known {
  const { certificate, key } = parseCertificate(pem);
  const [from, until] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()];
  if (certificate.checkHost(OWNER, { subject: "never", wildcards: false }) === undefined)
    throw new ReportRefusedError(403, "certificateOwner", { owner: OWNER });
  if (!(time >= from && time < until)) throw new ReportRefusedError(403, "certificateTime");
  if (key.asymmetricKeyType !== "rsa") throw new ReportRefusedError(403, "certificateKey");
  return { key, from, until: Math.min(until, time + KEY_LIFETIME_MS) };
}

function parseCertificate(pem: Buffer): { certificate: X509Certificate; key: KeyObject } {
  try {
    const certificate = new X509Certificate(pem);
    return { certificate, key: certificate.publicKey };
  } catch {
    throw new ReportRefusedError(403, "certificate");
  }
}
