import { isIP, isIPv4 } from "node:net";
import proxyAddr from "@fastify/proxy-addr";
import * as z from "zod";
import type { RemoteAddress } from "./backup/remote/address.ts";
import { isLoopback } from "./base/proxies.ts";
import { parseIceUrl } from "./voice/ice.ts";

const EMPTY_IS_UNSET = (value: unknown) => (value === "" ? undefined : value);
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(EMPTY_IS_UNSET, schema.optional());
export const withDefault = <Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>) =>
  z.preprocess((given) => EMPTY_IS_UNSET(given) ?? value, schema);

export const flag = z
  .enum(["true", "false", "1", "0"], { error: "must be true or false" })
  .transform((text) => text === "true" || text === "1");

/** What stands between commas. */
function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

/** By the parser that reads them later: an address, a network, or a name such as `loopback`. */
function isProxyAddress(text: string): boolean {
  try {
    proxyAddr.compile(text);
    return true;
  } catch {
    return false; // it says so by throwing
  }
}

/** `true`/`false`, a number of proxies, or addresses and networks, as Fastify takes them. */
export const trustProxy = z.string().transform((text, context) => {
  if (text === "true" || text === "false") return text === "true";
  const hops = /^\d{1,2}$/.test(text) ? Number(text) : undefined;
  if (hops !== undefined) return (_address: string, hop: number) => hop < hops;
  const parts = splitList(text);
  const wrong = parts.find((part) => !isProxyAddress(part));
  if (parts.length > 0 && wrong === undefined) return parts.join(",");
  context.addIssue({
    code: "custom",
    message:
      (wrong === undefined || wrong === text ? "" : `"${wrong}" is wrong: `) +
      "must be true, false, a number of proxies, or addresses and networks such as 127.0.0.1, 10.0.0.0/8",
  });
  return z.NEVER;
});

/** `Strict-Transport-Security`, as helmet takes it. */
export interface HstsConfig {
  maxAge: number;
  includeSubDomains: boolean;
  preload: boolean;
}

const YEAR_S = 31_536_000;
/** This host alone, for a year. */
const DEFAULT_HSTS: HstsConfig = { maxAge: YEAR_S, includeSubDomains: false, preload: false };
const HSTS_FAULT =
  "must be off, or max-age=<seconds>, to which ; includeSubDomains and ; preload may be added";
const PRELOAD_FAULT = `may have preload only with includeSubDomains and max-age=${YEAR_S} or more: lists of browsers take no other`;

/** `off`, or the header's own words (RFC 6797, 6.1), each once. */
export const hsts = z.string().transform((text, context): HstsConfig | false => {
  if (text === "off") return false;
  const [age = "", ...words] = text.split(";").map((part) => part.trim().toLowerCase());
  const maxAge = Number(/^max-age=(\d{1,10})$/.exec(age)?.[1] ?? Number.NaN);
  const [includeSubDomains, preload] = [words.includes("includesubdomains"), words.includes("preload")];
  const isReadable = !Number.isNaN(maxAge) && words.length === Number(includeSubDomains) + Number(preload);
  if (isReadable && (!preload || (includeSubDomains && maxAge >= YEAR_S)))
    return { maxAge, includeSubDomains, preload };
  context.addIssue({ code: "custom", message: isReadable ? PRELOAD_FAULT : HSTS_FAULT });
  return z.NEVER;
});

/** The header's value, for answers that no plugin sees. */
export function toHstsText({ maxAge, includeSubDomains, preload }: HstsConfig): string {
  return [
    `max-age=${maxAge}`,
    ...(includeSubDomains ? ["includeSubDomains"] : []),
    ...(preload ? ["preload"] : []),
  ].join("; ");
}

/** Browsers heed it over HTTPS alone, and the site knows of that by its public address. */
export function toHsts(
  given: HstsConfig | false | undefined,
  publicUrl: string | undefined,
): HstsConfig | false {
  return publicUrl?.startsWith("https://") ? (given ?? DEFAULT_HSTS) : false;
}

export const READER_LEVEL_FAULT = "must be an access level from 0 to 999";
export const MINUTES_FAULT = "must be a whole number of minutes from 1 to 1440";
export const wholeNumber = (min: number, max: number, fault: string) =>
  z.coerce.number({ error: fault }).int(fault).min(min, fault).max(max, fault);
export const SESSION_DAYS_FAULT = "must be a whole number of days from 1 to 400";
export const IDLE_HOURS_FAULT = "must be a whole number of hours from 1 to 720";
export const MONTHS_FAULT = "must be a whole number of months from 1 to 1200";
export const RETURN_PATH_FAULT =
  'must be "verp" (each mail has a return path of its own) or "sender" (the address of MAIL_FROM)';
export const PORT_FAULT = "must be a whole number from 0 to 65535";

/** Whether what is sent to an address is encrypted, or doesn't leave the machine. Another check tells of what is no address. */
export function isHttpsOrLoopback(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== "http:") return true;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return host === "localhost" || (isIP(host) > 0 && isLoopback(host));
}

const LEVEL_FAULT = "must be an access level from 2 to 999, or off";
/** `off` is undefined. Below 2 it would do nothing: who owes a factor has what a user has, which is level 1. */
export const secondFactorLevel = z.string().transform((text, context) => {
  if (text === "off") return undefined;
  const level = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (level >= 2) return level;
  context.addIssue({ code: "custom", message: LEVEL_FAULT });
  return z.NEVER;
});

/** What stands between two dots of a domain. */
const LABEL = String.raw`[a-z\d](?:[a-z\d-]*[a-z\d])?`;
/** Without comments or quotes; a domain in its ASCII form, because it ends Message-IDs. A host alone will do at home. */
const ADDRESS = new RegExp(String.raw`^[^\s@<>"(),:;\\[\]]+@${LABEL}(?:\.${LABEL})*$`, "i");
const ADDRESS_FAULT = "must be an address such as site@example.org";
/** RFC 5321, 4.5.3.1.1: 64 characters, of which a return path needs 27 for `+b-` and the token of the message. */
const BOUNCES_LOCAL_MAX = 37;

export const address = z.string().regex(ADDRESS, ADDRESS_FAULT);

/** `site@example.org` or `Name <site@example.org>`. */
export const mailbox = z.string().transform((text, context) => {
  const [, name = "", bracketed] = /^(.*?)\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const parsed = address.safeParse(bracketed ?? text.trim());
  // Control characters end a header and begin another one.
  if (parsed.success && !/\p{Cc}/u.test(name))
    return { name: name.replace(/^"(.*)"$/, "$1"), address: parsed.data };
  context.addIssue({ code: "custom", message: `${ADDRESS_FAULT}, or Name <site@example.org>` });
  return z.NEVER;
});

export const HAS_SHORT_LOCAL = (text: string) => text.lastIndexOf("@") <= BOUNCES_LOCAL_MAX;
export const LONG_LOCAL_FAULT = `must have at most ${BOUNCES_LOCAL_MAX} characters before the @: return paths are made from it`;

/** Scheme, host and port alone, perhaps with the slash that follows them. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && `${url.origin}/` === url.href;
}

/** RFC 6376, section 3.1; some providers use an underscore. */
export const SELECTOR = /^[a-z\d_](?:[\w-]*[a-z\d])?(?:\.[a-z\d_](?:[\w-]*[a-z\d])?)*$/i;
export const SELECTOR_FAULT = "must be the name before ._domainkey in the DKIM record, such as s1";

export const MAIL_SERVER_FAULT =
  "must be smtp://user:password@host:587 or smtps://user:password@host (other signs of the password as %23 for #, %2F for / …)";

/** A `#` in a password would end the address before the host, or cut off what follows it. */
export function isMailServer(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "" && !text.includes("#");
}

/** One number of ports: 0 would be any. */
const OPEN_PORT_FAULT = "must be a whole number from 1 to 65535";
export const openPort = z.coerce
  .number({ error: OPEN_PORT_FAULT })
  .int(OPEN_PORT_FAULT)
  .min(1, OPEN_PORT_FAULT)
  .max(65_535, OPEN_PORT_FAULT);

/** Addresses with commas between them; each one that no browser would take is named. */
export const iceUrls = z.string().transform((text, context) => {
  const urls = splitList(text);
  for (const url of urls) {
    if (parseIceUrl(url)) continue;
    const message = `"${url}" must be stun:host:port, turn:host:port?transport=udp (or tcp) or turns:host:port?transport=tcp`;
    context.addIssue({ code: "custom", message });
  }
  return urls;
});
export const IS_RELAY = (url: string) => parseIceUrl(url)?.scheme !== "stun";

/** A secret stands in files of lines and in messages: one line, no blanks. */
const SHORT_SECRET_FAULT = "must have at least 16 characters, without blanks: openssl rand -hex 32 makes one";
export const sharedSecret = z.string().regex(/^[\x21-\x7e]{16,}$/, SHORT_SECRET_FAULT);

const HOST_NAME = new RegExp(String.raw`^${LABEL}(?:\.${LABEL})*$`, "i");
const TURN_HOST_FAULT = "must be a host name or an address alone, such as turn.example.org";
export const turnHost = z
  .string()
  .refine((text) => isIP(text) !== 0 || (/[a-z]/i.test(text) && HOST_NAME.test(text)), TURN_HOST_FAULT);

const EXTERNAL_IP_FAULT =
  "must be the public address, such as 203.0.113.7, or public/private: 203.0.113.7/10.0.0.5";
export const externalIp = z.string().refine((text) => {
  const parts = text.split("/");
  return parts.length <= 2 && parts.every((part) => isIPv4(part));
}, EXTERNAL_IP_FAULT);

/** A room of two with a UDP and a TCP relay each, and as many again while they reconnect. */
export const TURN_PORTS_MIN = 8;

export const JANUS_FAULT =
  "must be ws://host:port or wss://host of Janus' WebSocket API, such as ws://127.0.0.1:8188";

export const TOPIC = /^arn:aws(?:-cn|-us-gov)?:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;
export const TOPICS_FAULT =
  "must be ARNs such as arn:aws:sns:eu-central-1:123456789012:mail, with commas between them";
export const LONG_SECRETS_FAULT =
  "must have at least 32 characters, without blanks: openssl rand -hex 32 makes one";
export const longSecret = z.string().regex(/^[\x21-\x7e]{32,}$/, LONG_SECRETS_FAULT);
const PASSWORD_FAULT = "must be user:password, the password of at least 16 characters without blanks";
const LISTEN_FAULT = "must be an address and a port, such as 127.0.0.1:2525 or [::]:25";

export const list = (isGood: (part: string) => boolean, fault: string) =>
  z
    .string()
    .transform(splitList)
    .refine((parts) => parts.every(isGood), fault);

/** `user:password` of basic authentication. */
export const credentials = z
  .string()
  .regex(/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]{16,}$/, PASSWORD_FAULT)
  .transform((text) => {
    const at = text.indexOf(":");
    return { user: text.slice(0, at), password: text.slice(at + 1) };
  });

/** `host:port`, an IPv6 address in brackets. */
export const listen = z.string().transform((text, context) => {
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.]+)\]|([\da-z.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host && isIP(host) !== 0 && Number(port) <= 65_535) return { host, port: Number(port) };
  context.addIssue({ code: "custom", message: LISTEN_FAULT });
  return z.NEVER;
});

/** Of `TURN=local`. */
export interface LocalTurnConfig {
  /** Name or address that browsers reach the relay at. */
  host: string;
  /** UDP and TCP. */
  port: number;
  /** UDP, both ends included. */
  minPort: number;
  maxPort: number;
  /** The public address, or `public/private`, where the machine has only private ones. */
  externalIp: string | undefined;
}

/** How what becomes of mails is reported; each way is off unless it is set. */
export interface MailReportsConfig {
  /** ARNs of SNS topics. */
  sesTopics: readonly string[];
  /** What mails name, so that Amazon SES reports of them. */
  sesConfigurationSet: string | undefined;
  postmark: { user: string; password: string } | undefined;
  mailgunSigningKey: string | undefined;
  /** Of the signed webhook; the newest first, older ones are still good. */
  webhookSecrets: readonly string[];
  /** Where returned mail is taken by SMTP. */
  listen: { host: string; port: number } | undefined;
  /** Absolute; a folder into which a mail server puts returned mail. */
  maildir: string | undefined;
  /** Where providers send complaints. */
  feedbackAddress: string | undefined;
}
/** `03:30` → hour and minute. */
export const timeOfDay = z.string().transform((text, context) => {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour !== undefined && minute !== undefined) return { hour: Number(hour), minute: Number(minute) };
  context.addIssue({ code: "custom", message: "must be a time of day such as 03:30" });
  return z.NEVER;
});

/** Backups that the server makes by itself. */
export interface DailyBackupConfig {
  /** Where the server is; undefined: it makes none. */
  time: { hour: number; minute: number } | undefined;
  /** Absolute; undefined: `backups` of the data folder. */
  dir: string | undefined;
  /** Where a copy of each goes besides. */
  remote: RemoteAddress | undefined;
  /** Of age: who can open the copies that go to `remote`. */
  recipient: string | undefined;
}
