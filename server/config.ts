import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { loadEnvFile } from "node:process";
import * as z from "zod";

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
  FOYER_SKIP_BACKUP: withDefault(flag, "false"),
  FOYER_OUT_DIR: withDefault(z.string(), "dist"),
  FOYER_DEV: withDefault(flag, "false"),
});

const schema = settings.superRefine(({ PUBLIC_URL, SMTP_URL, MAIL_FROM, MAIL_BOUNCES }, context) => {
  const tell = (name: keyof typeof settings.shape, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  if (SMTP_URL && !PUBLIC_URL) tell("PUBLIC_URL", "is needed with SMTP_URL: links in mails are made from it");
  if (SMTP_URL && !MAIL_FROM) tell("MAIL_FROM", "is needed with SMTP_URL: the address that mails come from");
  if (MAIL_FROM && !MAIL_BOUNCES && !HAS_SHORT_LOCAL(MAIL_FROM.address))
    tell("MAIL_BOUNCES", `is needed where MAIL_FROM is that long: it ${LONG_LOCAL_FAULT}`);
});

/** Stands in the head of mails that are files. */
export const LOCAL_SENDER = { name: "Foyer", address: "foyer@localhost" };
/** Their values hold passwords. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set(["DATABASE_URL", "SMTP_URL"]);

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
  /** Migrate, and replace by a restore, without a backup of what is there. */
  skipBackup: boolean;
  /** Absolute folder of the built browser app. */
  outDir: string;
}

/** A setting that can't be used. The message names it and is meant for the owner's terminal. */
export class ConfigError extends Error {
  override name = "ConfigError";
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
    skipBackup: values.FOYER_SKIP_BACKUP,
    outDir: resolve(root, values.FOYER_OUT_DIR),
  };
}

/** Reads `.env` (the environment wins) and then the environment. */
export function loadConfig(): Config {
  if (existsSync(".env")) loadEnvFile(".env");
  return parseConfig(process.env);
}
