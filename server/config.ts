import { existsSync } from "node:fs";
import { isIP, isIPv4 } from "node:net";
import { resolve } from "node:path";
import { loadEnvFile } from "node:process";
import * as z from "zod";
import { parseIceUrl } from "./voice/turn/ice-url.ts";

const EMPTY_IS_UNSET = (value: unknown) => (value === "" ? undefined : value);
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(EMPTY_IS_UNSET, schema.optional());
const withDefault = <Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>) =>
  z.preprocess((given) => EMPTY_IS_UNSET(given) ?? value, schema);

const flag = z
  .enum(["true", "false", "1", "0"], { error: "must be true or false" })
  .transform((text) => text === "true" || text === "1");

/** `true`/`false`, a number of proxies, or addresses and networks, as Fastify takes them. */
const trustProxy = z.string().transform((text, context) => {
  if (text === "true" || text === "false") return text === "true";
  const hops = /^\d{1,2}$/.test(text) ? Number(text) : undefined;
  if (hops !== undefined) return (_address: string, hop: number) => hop < hops;
  if (/^[\da-fA-F.:/, ]+$/.test(text)) return text;
  context.addIssue({
    code: "custom",
    message: "must be true, false, a number of proxies, or addresses such as 127.0.0.1, 10.0.0.0/8",
  });
  return z.NEVER;
});

const MINUTES_FAULT = "must be a whole number of minutes from 1 to 1440";
const MONTHS_FAULT = "must be a whole number of months from 1 to 1200";
const PORT_FAULT = "must be a whole number from 0 to 65535";

/** What stands between two dots of a domain. */
const LABEL = String.raw`[a-z\d](?:[a-z\d-]*[a-z\d])?`;
/** Without comments or quotes; a domain in its ASCII form, because it ends Message-IDs. A host alone will do at home. */
const ADDRESS = new RegExp(String.raw`^[^\s@<>"(),:;\\[\]]+@${LABEL}(?:\.${LABEL})*$`, "i");
const ADDRESS_FAULT = "must be an address such as site@example.org";
/** RFC 5321, 4.5.3.1.1: 64 characters, of which a return path needs 27 for `+b-` and the token of the message. */
const BOUNCES_LOCAL_MAX = 37;

const address = z.string().regex(ADDRESS, ADDRESS_FAULT);

/** `site@example.org` or `Name <site@example.org>`. */
const mailbox = z.string().transform((text, context) => {
  const [, name = "", bracketed] = /^(.*?)\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const parsed = address.safeParse(bracketed ?? text.trim());
  // Control characters end a header and begin another one.
  if (parsed.success && !/\p{Cc}/u.test(name))
    return { name: name.replace(/^"(.*)"$/, "$1"), address: parsed.data };
  context.addIssue({ code: "custom", message: `${ADDRESS_FAULT}, or Name <site@example.org>` });
  return z.NEVER;
});

const HAS_SHORT_LOCAL = (text: string) => text.lastIndexOf("@") <= BOUNCES_LOCAL_MAX;
const LONG_LOCAL_FAULT = `must have at most ${BOUNCES_LOCAL_MAX} characters before the @: return paths are made from it`;

/** Scheme, host and port alone, perhaps with the slash that follows them. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && `${url.origin}/` === url.href;
}

const MAIL_SERVER_FAULT =
  "must be smtp://user:password@host:587 or smtps://user:password@host (other signs of the password as %23 for #, %2F for / …)";

/** A `#` in a password would end the address before the host, or cut off what follows it. */
function isMailServer(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "" && !text.includes("#");
}

/** One number of ports: 0 would be any. */
const OPEN_PORT_FAULT = "must be a whole number from 1 to 65535";
const openPort = z.coerce
  .number({ error: OPEN_PORT_FAULT })
  .int(OPEN_PORT_FAULT)
  .min(1, OPEN_PORT_FAULT)
  .max(65_535, OPEN_PORT_FAULT);

/** Addresses with commas between them; each one that no browser would take is named. */
const iceUrls = z.string().transform((text, context) => {
  const urls = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  for (const url of urls) {
    if (parseIceUrl(url)) continue;
    const message = `"${url}" must be stun:host:port, turn:host:port?transport=udp (or tcp) or turns:host:port?transport=tcp`;
    context.addIssue({ code: "custom", message });
  }
  return urls;
});
const IS_RELAY = (url: string) => parseIceUrl(url)?.scheme !== "stun";

/** A secret stands in files of lines and in messages: one line, no blanks. */
const SHORT_SECRET_FAULT = "must have at least 16 characters, without blanks: openssl rand -hex 32 makes one";
const sharedSecret = z.string().regex(/^[\x21-\x7e]{16,}$/, SHORT_SECRET_FAULT);

const HOST_NAME = new RegExp(String.raw`^${LABEL}(?:\.${LABEL})*$`, "i");
const TURN_HOST_FAULT = "must be a host name or an address alone, such as turn.example.org";
const turnHost = z
  .string()
  .refine((text) => isIP(text) !== 0 || (/[a-z]/i.test(text) && HOST_NAME.test(text)), TURN_HOST_FAULT);

const EXTERNAL_IP_FAULT =
  "must be the public address, such as 203.0.113.7, or public/private: 203.0.113.7/10.0.0.5";
const externalIp = z.string().refine((text) => {
  const parts = text.split("/");
  return parts.length <= 2 && parts.every((part) => isIPv4(part));
}, EXTERNAL_IP_FAULT);

/** A room of two with a UDP and a TCP relay each, and as many again while they reconnect. */
const TURN_PORTS_MIN = 8;

const JANUS_FAULT =
  "must be ws://host:port or wss://host of Janus' WebSocket API, such as ws://127.0.0.1:8188";

const settings = z.object({
  NODE_ENV: withDefault(z.enum(["production", "development", "test"]), "production"),
  PORT: withDefault(
    z.coerce.number({ error: PORT_FAULT }).int(PORT_FAULT).min(0, PORT_FAULT).max(65_535, PORT_FAULT),
    "3000",
  ),
  HOST: withDefault(z.string(), "127.0.0.1"),
  PUBLIC_URL: optional(
    z
      .url({ protocol: /^https?$/, error: "must be a full address such as https://example.org" })
      .refine(isOrigin, "must end after the host: the site's pages begin there"),
  ),
  FOYER_DATA_DIR: withDefault(z.string(), "./data"),
  FOYER_DB_USER: optional(z.string()),
  DATABASE_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: "must be postgresql://user:password@host/database" }),
  ),
  LOG_LEVEL: withDefault(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]), "info"),
  TRUST_PROXY: withDefault(trustProxy, "false"),
  ACCESS_TOKEN_MINUTES: withDefault(
    z.coerce
      .number({ error: MINUTES_FAULT })
      .int(MINUTES_FAULT)
      .min(1, MINUTES_FAULT)
      .max(1440, MINUTES_FAULT),
    "15",
  ),
  AUDIT_RETENTION_MONTHS: withDefault(
    z.coerce.number({ error: MONTHS_FAULT }).int(MONTHS_FAULT).min(1, MONTHS_FAULT).max(1200, MONTHS_FAULT),
    "24",
  ),
  OWNER_EMAIL: optional(z.email({ error: "must be an e-mail address" })),
  SMTP_URL: optional(z.string().refine(isMailServer, MAIL_SERVER_FAULT)),
  MAIL_FROM: optional(mailbox),
  MAIL_BOUNCES: optional(address.refine(HAS_SHORT_LOCAL, LONG_LOCAL_FAULT)),
  ICE_URLS: withDefault(iceUrls, ""),
  TURN_SECRET: optional(sharedSecret),
  TURN: optional(z.enum(["local"], { error: 'must be "local" or empty' })),
  TURN_HOST: optional(turnHost),
  TURN_PORT: withDefault(openPort, "3478"),
  TURN_MIN_PORT: withDefault(openPort, "49152"),
  TURN_MAX_PORT: withDefault(openPort, "49663"),
  TURN_EXTERNAL_IP: optional(externalIp),
  JANUS_URL: optional(z.url({ protocol: /^wss?$/, error: JANUS_FAULT })),
  JANUS_SECRET: optional(sharedSecret),
  FOYER_SKIP_BACKUP: withDefault(flag, "false"),
  FOYER_OUT_DIR: withDefault(z.string(), "dist"),
  FOYER_DEV: withDefault(flag, "false"),
});

const schema = settings.superRefine((values, context) => {
  const { PUBLIC_URL, SMTP_URL, MAIL_FROM, MAIL_BOUNCES } = values;
  const tell = (name: keyof typeof settings.shape, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  if (SMTP_URL && !PUBLIC_URL) tell("PUBLIC_URL", "is needed with SMTP_URL: links in mails are made from it");
  if (SMTP_URL && !MAIL_FROM) tell("MAIL_FROM", "is needed with SMTP_URL: the address that mails come from");
  if (MAIL_FROM && !MAIL_BOUNCES && !HAS_SHORT_LOCAL(MAIL_FROM.address))
    tell("MAIL_BOUNCES", `is needed where MAIL_FROM is that long: it ${LONG_LOCAL_FAULT}`);
  if (values.ICE_URLS.some(IS_RELAY) && !values.TURN_SECRET)
    tell(
      "TURN_SECRET",
      "is needed with a turn: or turns: address in ICE_URLS: the relay's static-auth-secret",
    );
  if (values.TURN_MAX_PORT - values.TURN_MIN_PORT < TURN_PORTS_MIN - 1)
    tell(
      "TURN_MAX_PORT",
      `must be at least TURN_MIN_PORT + ${TURN_PORTS_MIN - 1}: each connection takes a port`,
    );
  if (values.TURN_PORT >= values.TURN_MIN_PORT && values.TURN_PORT <= values.TURN_MAX_PORT)
    tell("TURN_PORT", "must lie outside of TURN_MIN_PORT to TURN_MAX_PORT, which are for the relayed sound");
  if (values.JANUS_SECRET && !values.JANUS_URL) tell("JANUS_URL", "is needed with JANUS_SECRET");
});

/** Stands in the head of mails that are files. */
export const LOCAL_SENDER = { name: "Foyer", address: "foyer@localhost" };
/** Their values hold passwords. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  "DATABASE_URL",
  "SMTP_URL",
  "TURN_SECRET",
  "JANUS_SECRET",
]);

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

/** Settings of the process, typed; names of the environment on the right side of `.env.example`. */
export interface Config {
  isProduction: boolean;
  isDevelopment: boolean;
  port: number;
  host: string;
  /** Without a trailing slash; undefined: the address that the request came to, and no mail is sent. */
  publicUrl: string | undefined;
  /** Absolute. */
  dataDir: string;
  databaseUser: string | undefined;
  databaseUrl: string | undefined;
  logLevel: string;
  trustProxy: boolean | string | ((address: string, hop: number) => boolean);
  /** How long an access token is good before the browser renews it. */
  accessTokenMinutes: number;
  /** How long the audit log is kept. */
  auditRetentionMonths: number;
  ownerEmail: string | undefined;
  /** With user and password; undefined: mails are files in the data folder. */
  smtpUrl: string | undefined;
  /** Who mails come from. */
  mailFrom: { name: string; address: string };
  /** Where mail that can't be delivered comes back to, each message with its token after a plus sign. */
  mailBounces: string;
  /** STUN and TURN servers of others, in the order that browsers get them. */
  iceUrls: readonly string[];
  /** Shared with the relays of `iceUrls`; there is one wherever one of them is a relay. */
  turnSecret: string | undefined;
  /** A relay that Foyer starts; undefined: it starts none. */
  localTurn: LocalTurnConfig | undefined;
  /** Janus' WebSocket API. */
  janusUrl: string | undefined;
  /** Janus' `api_secret`. */
  janusSecret: string | undefined;
  /** Migrate, and replace by a restore, without a backup of what is there. */
  skipBackup: boolean;
  /** Absolute folder of the built browser app. */
  outDir: string;
}

/** A setting that can't be used. The message names it and is meant for the owner's terminal. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

function toLocalTurn(values: z.infer<typeof settings>): LocalTurnConfig {
  const site = values.PUBLIC_URL && URL.parse(values.PUBLIC_URL)?.hostname.replace(/^\[|\]$/g, "");
  return {
    host: values.TURN_HOST ?? site ?? "127.0.0.1",
    port: values.TURN_PORT,
    minPort: values.TURN_MIN_PORT,
    maxPort: values.TURN_MAX_PORT,
    externalIp: values.TURN_EXTERNAL_IP,
  };
}

/** Reads settings from an environment. @throws ConfigError that names every wrong value. */
export function parseConfig(environment: NodeJS.ProcessEnv, root = process.cwd()): Config {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      const secret = SECRET_SETTINGS.has(name) ? "" : ` (it is "${environment[name] ?? ""}")`;
      return `  ${name}${secret}: ${issue.message}`;
    });
    throw new ConfigError(
      `A setting is wrong. Correct it in the environment or in .env:\n${lines.join("\n")}`,
    );
  }
  const values = parsed.data;
  const mailFrom = values.MAIL_FROM ?? LOCAL_SENDER;
  return {
    isProduction: values.NODE_ENV === "production",
    isDevelopment: values.FOYER_DEV,
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ""),
    dataDir: resolve(root, values.FOYER_DATA_DIR),
    databaseUser: values.FOYER_DB_USER,
    databaseUrl: values.DATABASE_URL,
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY,
    accessTokenMinutes: values.ACCESS_TOKEN_MINUTES,
    auditRetentionMonths: values.AUDIT_RETENTION_MONTHS,
    ownerEmail: values.OWNER_EMAIL,
    smtpUrl: values.SMTP_URL,
    mailFrom,
    mailBounces: values.MAIL_BOUNCES ?? mailFrom.address,
    iceUrls: values.ICE_URLS,
    turnSecret: values.TURN_SECRET,
    localTurn: values.TURN === "local" ? toLocalTurn(values) : undefined,
    janusUrl: values.JANUS_URL,
    janusSecret: values.JANUS_SECRET,
    skipBackup: values.FOYER_SKIP_BACKUP,
    outDir: resolve(root, values.FOYER_OUT_DIR),
  };
}

/** Reads `.env` (the environment wins) and then the environment. */
export function loadConfig(): Config {
  if (existsSync(".env")) loadEnvFile(".env");
  return parseConfig(process.env);
}
