import { createHmac, hkdfSync } from "node:crypto";
import { domainToASCII } from "node:url";
import { FORGOTTEN_MARK } from "#contract/mail/suppressions.ts";
import { createSealing, type Sealing } from "#server/base/sealing.ts";

const KEY_BYTES = 32;

/** What the outbox hides: codes until they are sent, and addresses in keys. */
export interface MailSecrets extends Sealing {
  /** The same for the same parts, and of no use to find out what they are. */
  toKey(...parts: string[]): string;
  /** Hash addresses of deleted accounts in the list of suppressions: the first writes, all recognise. */
  addressSecrets: readonly [Buffer, ...Buffer[]];
}

/** Three keys out of each secret of 32 bytes: one encrypts, one makes keys, one hashes addresses. The first secret writes, all of them read. */
export function createMailSecrets(secrets: readonly [Buffer, ...Buffer[]]): MailSecrets {
  const derive = (secret: Buffer, purpose: string) =>
    Buffer.from(hkdfSync("sha256", secret, "", purpose, KEY_BYTES));
  const codes = createSealing([
    derive(secrets[0], "codes"),
    ...secrets.slice(1).map((secret) => derive(secret, "codes")),
  ]);
  const hashKey = derive(secrets[0], "keys");
  const [first, ...older] = secrets;
  return {
    ...codes,
    addressSecrets: [
      derive(first, "suppressed addresses"),
      ...older.map((secret) => derive(secret, "suppressed addresses")),
    ],
    toKey: (...parts) => createHmac("sha256", hashKey).update(JSON.stringify(parts)).digest("base64url"),
  };
}

/**
 * One text for all spellings of an address, by which mails, suppressions and reports are compared: lower case whatever the
 * database's language is, one Unicode form, the domain in ASCII. `INFO@Örnek.example` → `info@xn--rnek-4qa.example`.
 */
export function toAddressKey(address: string): string {
  const plain = address.trim().normalize("NFC").toLowerCase();
  const at = plain.lastIndexOf("@");
  const domain = domainToASCII(plain.slice(at + 1));
  return at > 0 && domain ? `${plain.slice(0, at)}@${domain}` : plain;
}

/** 128 bits, in hexadecimal. */
const HASH_CHARS = 32;

/**
 * SQL of what stands for an address (`key`, as `toAddressKey` writes it) once its account is deleted. `secret`: bytea. Without the
 * secret nobody can try addresses until one fits.
 */
const hashSql = (key: string, secret: string) =>
  `'${FORGOTTEN_MARK}' || left(encode(sha256(${secret} || convert_to(${key}, 'UTF8')), 'hex'), ${HASH_CHARS})`;

/** The one that is written. `secrets`: SQL of bytea[]. */
export const forgottenKeySql = (key: string, secrets: string) => hashSql(key, `(${secrets}::bytea[])[1]`);

/** SQL of all texts, as text[], under which an address may stand in the list of suppressions: as it is, or as a hash. */
export const stopKeysSql = (key: string, secrets: string) =>
  `(ARRAY[${key}] || ARRAY(SELECT ${hashSql(key, "secret")} FROM unnest(${secrets}::bytea[]) AS secret))`;

/** Enough of an address for its owner to know it by: `a…@example.org`. What stands for the address of a deleted account stays. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 0) return address;
  const [first = ""] = Array.from(address.slice(0, at));
  return `${first}…${address.slice(at)}`;
}
