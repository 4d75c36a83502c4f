import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Client } from "../account.ts";
import { deriveSecrets, type SigningKeys } from "../tokens/keys.ts";

const VALUE = /^([\w-]{22})\.([\w-]{43})$/;
const NONCE_BYTES = 16;

/** What a browser that signed in keeps for that account. */
export interface DeviceCookie {
  userId: number;
  value: string;
}

/** What the browser sent, by account. */
export type DeviceCookies = ReadonlyMap<number, string>;

/**
 * Marks browsers that signed in: `<number>.<mark>`, the mark over account, number and the hash of the password, so that a new
 * password makes all of them worthless (docs/decisions/012).
 */
export interface KnownDevices {
  issue(userId: number, passwordHash: string): DeviceCookie;
  /** The device's number; undefined for an account that it doesn't know, or doesn't know any more. */
  find(cookies: DeviceCookies, userId: number, passwordHash: string): string | undefined;
}

export function createKnownDevices(keys: SigningKeys): KnownDevices {
  const [signing, ...older] = deriveSecrets(keys, "known devices");
  const mark = (secret: Buffer, userId: number, nonce: string, passwordHash: string) =>
    createHmac("sha256", secret).update(`${userId}.${nonce}.${passwordHash}`).digest();
  return {
    issue(userId, passwordHash) {
      const nonce = randomBytes(NONCE_BYTES).toString("base64url");
      return {
        userId,
        value: `${nonce}.${mark(signing, userId, nonce, passwordHash).toString("base64url")}`,
      };
    },
    find(cookies, userId, passwordHash) {
      const [, nonce, encoded] = VALUE.exec(cookies.get(userId) ?? "") ?? [];
      if (!nonce || !encoded) return undefined;
      const given = Buffer.from(encoded, "base64url");
      const isOwn = [signing, ...older].some((secret) =>
        timingSafeEqual(mark(secret, userId, nonce, passwordHash), given),
      );
      return isOwn ? nonce : undefined;
    },
  };
}

/** A browser that wants in. `admin`: only who may open the console. */
export interface Visitor extends Client {
  cookies: DeviceCookies;
  door: "site" | "admin";
}
