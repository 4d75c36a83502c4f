import { createSign } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSesSource } from "./ses-source.ts";
import { createTestCertificate, type TestCertificate } from "./test-certificate.ts";

const MAIL = join(import.meta.dirname, "../../../../test/mail");

/** When all messages of `test/mail` were sent. */
export const NOW = new Date("2026-11-20T12:00:00.000Z");
export const TOPIC = "arn:aws:sns:eu-central-1:123456789012:foyer-ses-events";
export const CERTIFICATE_ADDRESS =
  "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";

/** A file of `test/mail`, such as `sns/send.json`. */
export const readMailFile = (path: string): Buffer => readFileSync(join(MAIL, path));

/** The names in a folder of `test/mail`, in order. */
export const listMailFiles = (folder: string): string[] => readdirSync(join(MAIL, folder)).sort();

/** The envelope of a message of `test/mail`, to be changed. */
export const readEnvelope = (path: string): Record<string, unknown> =>
  JSON.parse(readMailFile(path).toString());

export const toBody = (envelope: Record<string, unknown>): Buffer => Buffer.from(JSON.stringify(envelope));

/** In the place of Amazon: answers each request anew, and notes what was asked for. */
export function createCertificateHost(answer: (address: string) => Response | Promise<Response>) {
  const requests: { address: string; options: RequestInit | undefined }[] = [];
  const fetch: typeof globalThis.fetch = async (address, options) => {
    requests.push({ address: String(address), options });
    return answer(String(address));
  };
  return { requests, fetch };
}

/** A source that listens to TOPIC at NOW. Without a certificate of one's own: the one that signed `test/mail`. */
export function createTestSource(pem: string = readMailFile("sns/test-cert.pem").toString(), now = NOW) {
  const { fetch, requests } = createCertificateHost(() => new Response(pem));
  return { source: createSesSource({ topics: [TOPIC], fetch, now: () => now }), requests };
}

/** Made once: a key takes a tenth of a second. */
let own: TestCertificate | undefined;
export function getOwnCertificate(): TestCertificate {
  own ??= createTestCertificate();
  return own;
}

const SIGNED = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];

/** Signs with the key of `getOwnCertificate`, as SNS would. */
export function sign(envelope: Record<string, unknown>): Record<string, unknown> {
  const text = SIGNED.filter((name) => name in envelope)
    .map((name) => `${name}\n${envelope[name]}\n`)
    .join("");
  const algorithm = envelope.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256";
  return {
    ...envelope,
    Signature: createSign(algorithm).update(text).sign(getOwnCertificate().privateKey, "base64"),
  };
}

/** A signed notification whose Message is this event, or text as it is. */
export function signNotification(message: object | string): Buffer {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return toBody(sign({ ...readEnvelope("sns/send.json"), Message: text }));
}
