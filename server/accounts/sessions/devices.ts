import "@fastify/cookie";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import Bowser from "bowser";
import type { FastifyReply, FastifyRequest } from "fastify";
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
type DeviceCookies = ReadonlyMap<number, string>;

/** Whose marks they are. `device_epoch`: counts how often the person has had all devices forgotten. */
type Marked = { id: number; password_hash: string; device_epoch: number };

/**
 * Marks browsers that signed in: `<number>.<mark>`, the mark over account, number, the hash of the password and the count of those
 * who signed out everywhere, so that a new password, or that, makes all of them worthless (docs/decisions/012).
 */
export interface KnownDevices {
  issue(account: Marked): DeviceCookie;
  /** The device's number; undefined for an account that it doesn't know, or doesn't know any more. */
  find(cookies: DeviceCookies, account: Marked): string | undefined;
}

export function createKnownDevices(keys: SigningKeys): KnownDevices {
  const [signing, ...older] = deriveSecrets(keys, "known devices");
  // Marks from before there was a count are those of the count 0.
  const mark = (secret: Buffer, { id, password_hash, device_epoch }: Marked, nonce: string) =>
    createHmac("sha256", secret)
      .update(`${id}.${nonce}.${password_hash}${device_epoch === 0 ? "" : `.${device_epoch}`}`)
      .digest();
  return {
    issue(account) {
      const nonce = randomBytes(NONCE_BYTES).toString("base64url");
      return { userId: account.id, value: `${nonce}.${mark(signing, account, nonce).toString("base64url")}` };
    },
    find(cookies, account) {
      const [, nonce, encoded] = VALUE.exec(cookies.get(account.id) ?? "") ?? [];
      if (!nonce || !encoded) return undefined;
      const given = Buffer.from(encoded, "base64url");
      const isOwn = [signing, ...older].some((secret) =>
        timingSafeEqual(mark(secret, account, nonce), given),
      );
      return isOwn ? nonce : undefined;
    },
  };
}

/** A browser that wants in. `admin`: only who may open the console. */
export interface Visitor extends Client {
  cookies: DeviceCookies;
  area: "site" | "admin";
}

/** Over HTTPS no other host and no page without it can set one of this name (RFC 6265bis, 4.1.3.2). */
const HOST_PREFIX = "__Host-";
const DEVICE_COOKIE = /^(?:__Host-)?foyer_device_(\d{1,10})$/;
export const DEVICE_COOKIE_LIFETIME_S = 365 * 24 * 60 * 60;

/** Where a request came from. */
export function toClient(request: FastifyRequest): Client {
  return {
    ipAddress: request.ip,
    userAgent: request.headers["user-agent"] ?? null,
    requestId: request.id,
  };
}

function readDeviceCookies(request: FastifyRequest): DeviceCookies {
  // The prefixed ones last: they win over one of the same account from before, which counts until a log-in takes it away.
  const cookies = Object.entries(request.cookies).sort(
    ([one], [other]) => Number(one.startsWith(HOST_PREFIX)) - Number(other.startsWith(HOST_PREFIX)),
  );
  return new Map(
    cookies.flatMap(([name, value]) => {
      const id = DEVICE_COOKIE.exec(name)?.[1];
      return id && value ? [[Number(id), value] as const] : [];
    }),
  );
}

/** The same with the accounts that the browser signed in to before. */
export function toVisitor(request: FastifyRequest, area: Visitor["area"]): Visitor {
  return { ...toClient(request), cookies: readDeviceCookies(request), area };
}

/** The browser keeps the mark of a known device, out of reach of scripts. */
export function setDeviceCookie(
  reply: FastifyReply,
  device: DeviceCookie,
  publicUrl: string | undefined,
): void {
  const plainName = `foyer_device_${device.userId}`;
  const secure = publicUrl?.startsWith("https://") ?? reply.request.protocol === "https";
  if (secure && reply.request.cookies[plainName]) reply.clearCookie(plainName, { path: "/" });
  reply.setCookie(secure ? HOST_PREFIX + plainName : plainName, device.value, {
    path: "/", // the endpoints of the voice API stand outside of /api/
    httpOnly: true,
    sameSite: "lax",
    secure,
    maxAge: DEVICE_COOKIE_LIFETIME_S,
  });
}

/** Browser and system as the browser named them: "Firefox · Windows". Empty where it named none. */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return "";
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(" · ");
}
