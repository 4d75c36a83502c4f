import { resolve } from "node:path";
import * as z from "zod";
import { fingerprints, remoteAddress } from "./backup/remote/address.ts";
import {
  address,
  credentials,
  type DailyBackupConfig,
  externalIp,
  flag,
  HAS_SHORT_LOCAL,
  type HstsConfig,
  hsts,
  IS_RELAY,
  iceUrls,
  isMailServer,
  isOrigin,
  JANUS_FAULT,
  LONG_LOCAL_FAULT,
  LONG_SECRETS_FAULT,
  type LocalTurnConfig,
  list,
  listen,
  MAIL_SERVER_FAULT,
  type MailReportsConfig,
  MINUTES_FAULT,
  MONTHS_FAULT,
  mailbox,
  openPort,
  optional,
  PORT_FAULT,
  RETURN_PATH_FAULT,
  SELECTOR,
  SELECTOR_FAULT,
  sharedSecret,
  TOPIC,
  TOPICS_FAULT,
  TURN_PORTS_MIN,
  timeOfDay,
  toHsts,
  toRemote,
  trustProxy,
  turnHost,
  withDefault,
} from "./config-values.ts";

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
  LOG_REQUESTS: withDefault(flag, "false"),
  TRUST_PROXY: withDefault(trustProxy, "false"),
  HSTS: optional(hsts),
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
  MAIL_RETURN_PATH: withDefault(z.enum(["verp", "sender"], { error: RETURN_PATH_FAULT }), "verp"),
  MAIL_BOUNCES: optional(address.refine(HAS_SHORT_LOCAL, LONG_LOCAL_FAULT)),
  MAIL_DKIM_SELECTOR: optional(z.string().regex(SELECTOR, SELECTOR_FAULT)),
  SES_TOPICS: withDefault(
    list((part) => TOPIC.test(part), TOPICS_FAULT),
    "",
  ),
  SES_CONFIGURATION_SET: optional(
    z.string().regex(/^[\w-]{1,64}$/, "must be a name of letters, digits, - and _"),
  ),
  POSTMARK_WEBHOOK: optional(credentials),
  MAILGUN_SIGNING_KEY: optional(sharedSecret),
  MAIL_WEBHOOK_SECRETS: withDefault(
    list((part) => /^[\x21-\x7e]{32,}$/.test(part), LONG_SECRETS_FAULT),
    "",
  ),
  MAIL_LISTEN: optional(listen),
  MAIL_MAILDIR: optional(z.string()),
  MAIL_FEEDBACK: optional(address),
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
  BACKUP_DAILY: optional(flag),
  BACKUP_TIME: withDefault(timeOfDay, "03:30"),
  BACKUP_DIR: optional(z.string()),
  BACKUP_TO: optional(remoteAddress),
  BACKUP_TO_KEY_FILE: optional(z.string()),
  BACKUP_TO_HOST_KEY: optional(fingerprints),
  CHROMIUM_PATH: optional(z.string()),
  FOYER_OUT_DIR: withDefault(z.string(), "dist"),
  FOYER_DEV: withDefault(flag, "false"),
});

/** What may stand in `.env` and in the environment. */
export const SETTING_NAMES: readonly string[] = Object.keys(settings.shape);

const schema = settings.superRefine((values, context) => {
  const { PUBLIC_URL, SMTP_URL, MAIL_FROM, MAIL_BOUNCES, MAIL_RETURN_PATH } = values;
  const report = (name: keyof typeof settings.shape, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  if (SMTP_URL && !PUBLIC_URL)
    report("PUBLIC_URL", "is needed with SMTP_URL: links in mails are made from it");
  if (SMTP_URL && !MAIL_FROM)
    report("MAIL_FROM", "is needed with SMTP_URL: the address that mails come from");
  if (values.HSTS && !PUBLIC_URL?.startsWith("https://"))
    report("HSTS", "is heeded over HTTPS alone: set PUBLIC_URL=https://… with it");
  if (MAIL_FROM && !MAIL_BOUNCES && MAIL_RETURN_PATH === "verp" && !HAS_SHORT_LOCAL(MAIL_FROM.address))
    report("MAIL_BOUNCES", `is needed where MAIL_FROM is that long: it ${LONG_LOCAL_FAULT}`);
  if (values.ICE_URLS.some(IS_RELAY) && !values.TURN_SECRET)
    report(
      "TURN_SECRET",
      "is needed with a turn: or turns: address in ICE_URLS: the relay's static-auth-secret",
    );
  if (values.TURN_MAX_PORT - values.TURN_MIN_PORT < TURN_PORTS_MIN - 1)
    report(
      "TURN_MAX_PORT",
      `must be at least TURN_MIN_PORT + ${TURN_PORTS_MIN - 1}: each connection takes a port`,
    );
  if (values.TURN_PORT >= values.TURN_MIN_PORT && values.TURN_PORT <= values.TURN_MAX_PORT)
    report(
      "TURN_PORT",
      "must lie outside of TURN_MIN_PORT to TURN_MAX_PORT, which are for the relayed sound",
    );
  toRemote(values, report);
  if (values.JANUS_SECRET && !values.JANUS_URL) report("JANUS_URL", "is needed with JANUS_SECRET");
});

/** Stands in the head of mails that are files. */
export const LOCAL_SENDER = { name: "Foyer", address: "foyer@localhost" };
/** Their values hold passwords. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  "DATABASE_URL",
  "SMTP_URL",
  "TURN_SECRET",
  "JANUS_SECRET",
  "POSTMARK_WEBHOOK",
  "MAILGUN_SIGNING_KEY",
  "MAIL_WEBHOOK_SECRETS",
  "BACKUP_TO",
]);

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
  /** One line a request, at level info. */
  logRequests: boolean;
  trustProxy: boolean | string | ((address: string, hop: number) => boolean);
  /** False: no such header is sent. */
  hsts: HstsConfig | false;
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
  /** `sender`: it comes back to the plain address of `mailFrom`. `verp` does so by itself where the mail server wants it. */
  mailReturnPath: "verp" | "sender";
  /** Of the key that mails are signed with, for the health page. */
  mailDkimSelector: string | undefined;
  mailReports: MailReportsConfig;
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
  dailyBackup: DailyBackupConfig;
  /** What prints the CV; undefined: the Chromium on `PATH`, if there is one. */
  chromiumPath: string | undefined;
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
    logRequests: values.LOG_REQUESTS,
    trustProxy: values.TRUST_PROXY,
    hsts: toHsts(values.HSTS, values.PUBLIC_URL),
    accessTokenMinutes: values.ACCESS_TOKEN_MINUTES,
    auditRetentionMonths: values.AUDIT_RETENTION_MONTHS,
    ownerEmail: values.OWNER_EMAIL,
    smtpUrl: values.SMTP_URL,
    mailFrom,
    mailBounces: values.MAIL_BOUNCES ?? mailFrom.address,
    mailReturnPath: values.MAIL_RETURN_PATH,
    mailDkimSelector: values.MAIL_DKIM_SELECTOR,
    mailReports: {
      sesTopics: values.SES_TOPICS,
      sesConfigurationSet: values.SES_CONFIGURATION_SET,
      postmark: values.POSTMARK_WEBHOOK,
      mailgunSigningKey: values.MAILGUN_SIGNING_KEY,
      webhookSecrets: values.MAIL_WEBHOOK_SECRETS,
      listen: values.MAIL_LISTEN,
      maildir: values.MAIL_MAILDIR === undefined ? undefined : resolve(root, values.MAIL_MAILDIR),
      feedbackAddress: values.MAIL_FEEDBACK,
    },
    iceUrls: values.ICE_URLS,
    turnSecret: values.TURN_SECRET,
    localTurn: values.TURN === "local" ? toLocalTurn(values) : undefined,
    janusUrl: values.JANUS_URL,
    janusSecret: values.JANUS_SECRET,
    skipBackup: values.FOYER_SKIP_BACKUP,
    dailyBackup: {
      // Nobody wants one of a site that is being worked on.
      time: (values.BACKUP_DAILY ?? !values.FOYER_DEV) ? values.BACKUP_TIME : undefined,
      dir: values.BACKUP_DIR === undefined ? undefined : resolve(root, values.BACKUP_DIR),
      remote: toRemote(
        {
          ...values,
          BACKUP_TO_KEY_FILE: values.BACKUP_TO_KEY_FILE && resolve(root, values.BACKUP_TO_KEY_FILE),
        },
        () => undefined, // said by the schema
      ),
    },
    chromiumPath: values.CHROMIUM_PATH === undefined ? undefined : resolve(root, values.CHROMIUM_PATH),
    outDir: resolve(root, values.FOYER_OUT_DIR),
  };
}
