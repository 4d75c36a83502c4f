import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

export interface TestCertificate {
  pem: string;
  privateKey: KeyObject;
}

interface CertificateWishes {
  /** In the SAN; none: the name stands in the subject alone. */
  dnsName?: string | undefined;
  from?: string;
  until?: string;
  type?: "rsa" | "ec";
}

/** A certificate (X.509 v3) as SNS has them, or one with something wrong. Who issued it is an RSA key that nobody keeps. */
export function createTestCertificate(wishes: CertificateWishes = {}): TestCertificate {
  const { from = "2026-01-01", until = "2027-01-01", type = "rsa" } = wishes;
  const dnsName = "dnsName" in wishes ? wishes.dnsName : "sns.amazonaws.com";
  const { publicKey, privateKey } = type === "ec" ? createEcKeys() : createRsaKeys();
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    SHA256_WITH_RSA,
    COMMON_NAME,
    sequence(toTime(from), toTime(until)),
    COMMON_NAME,
    publicKey.export({ type: "spki", format: "der" }),
    ...(dnsName === undefined ? [] : [tlv(0xa3, sequence(toNames(dnsName)))]),
  );
  const signature = createSign("RSA-SHA256").update(body).sign(createRsaKeys().privateKey);
  const der = sequence(body, SHA256_WITH_RSA, tlv(0x03, Buffer.from([0]), signature));
  const lines = der.toString("base64").replace(/.{64}/g, "$&\n");
  return { pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`, privateKey };
}

const createRsaKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const createEcKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

/** One element of DER: tag, length, content. */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts);

const SHA256_WITH_RSA = sequence(Buffer.from("06092a864886f70d01010b0500", "hex"));
const COMMON_NAME = sequence(
  tlv(0x31, sequence(Buffer.from("0603550403", "hex"), tlv(0x0c, Buffer.from("sns.amazonaws.com")))),
);

const toNames = (dnsName: string) =>
  sequence(Buffer.from("0603551d11", "hex"), tlv(0x04, sequence(tlv(0x82, Buffer.from(dnsName)))));

const toTime = (day: string) => tlv(0x18, Buffer.from(`${day.replaceAll("-", "")}000000Z`));
