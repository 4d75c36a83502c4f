import * as z from "zod";
import { sinkTarget } from "./audit/chain/target.ts";
import { isRecipient } from "./backup/encryption.ts";
import { fingerprints, remoteAddress, toRemote } from "./backup/remote/address.ts";
import { s3Address } from "./base/s3.ts";
import {
  address,
  credentials,
  DRAIN_FAULT,
  externalIp,
  flag,
  HAS_SHORT_LOCAL,
  hsts,
  IDLE_HOURS_FAULT,
  IS_RELAY,
  iceUrls,
  isHttpsOrLoopback,
  isMailServer,
  isOrigin,
  JANUS_FAULT,
  LONG_LOCAL_FAULT,
  LONG_SECRETS_FAULT,
  list,
  listen,
  longSecret,
  MAIL_SERVER_FAULT,
  MINUTES_FAULT,
  MONTHS_FAULT,
  mailbox,
  openPort,
  optional,
  PORT_FAULT,
  READER_LEVEL_FAULT,
  RETURN_PATH_FAULT,
  SELECTOR,
  SELECTOR_FAULT,
  SESSION_DAYS_FAULT,
  secondFactorLevel,
  sharedSecret,
  TOPIC,
  TOPICS_FAULT,
  TURN_PORTS_MIN,
  timeOfDay,
  trustProxy,
  turnHost,
  wholeNumber,
  withDefault,
} from "./config-values.ts";
import { otlpEndpoint, otlpHeaders } from "./http/otlp-settings.ts";
import { PROCESSES_MAX, parseLaunched } from "./launch/launched.ts";

const PROCESSES_FAULT = `must be a whole number of processes from 1 to ${PROCESSES_MAX}`;
/** What the launcher of several processes tells each. */
const launched = z.string().transform((text, context) => {
  const found = parseLaunched(text);
  if (found) return found;
  context.addIssue({ code: "custom", message: "is for Foyer itself: leave it out" });
  return z.NEVER;
});

/** Each with what it may be, alone. */
const names = z.object({
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
  FOYER_USER: optional(z.string()),
  FOYER_DB_USER: optional(z.string()),
  DATABASE_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: "must be postgresql://user:password@host/database" }),
  ),
  DATABASE_OWNER_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: "must be postgresql://owner:password@host/database" }),
  ),
  REDIS_URL: optional(
    z.url({ protocol: /^rediss?$/, error: "must be redis://user:password@host:6379, or rediss:// with TLS" }),
  ),
  S3_URL: optional(s3Address),
  S3_REDIRECT: optional(flag),
  KEYS_SECRET: optional(longSecret),
  LOG_LEVEL: withDefault(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]), "info"),
  LOG_REQUESTS: withDefault(flag, "false"),
  TRUST_PROXY: withDefault(trustProxy, "false"),
  DRAIN_SECONDS: withDefault(wholeNumber(0, 15, DRAIN_FAULT), "0"),
  METRICS_TOKEN: optional(sharedSecret),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(otlpEndpoint),
  OTEL_EXPORTER_OTLP_HEADERS: withDefault(otlpHeaders, ""),
  HSTS: optional(hsts),
  API_DOCS_LEVEL: optional(wholeNumber(0, 999, READER_LEVEL_FAULT)),
  ACCESS_TOKEN_MINUTES: withDefault(wholeNumber(1, 1440, MINUTES_FAULT), "15"),
  SESSION_DAYS: withDefault(wholeNumber(1, 400, SESSION_DAYS_FAULT), "30"),
  CONSOLE_IDLE_HOURS: withDefault(wholeNumber(1, 720, IDLE_HOURS_FAULT), "12"),
  AUDIT_RETENTION_MONTHS: withDefault(wholeNumber(1, 1200, MONTHS_FAULT), "24"),
  AUDIT_SINK: optional(sinkTarget),
  SECOND_FACTOR_LEVEL: withDefault(secondFactorLevel, "10"),
  BREACHED_PASSWORDS_URL: optional(
    z
      .url({
        protocol: /^https?$/,
        error: "must be an address such as https://api.pwnedpasswords.com/range/",
      })
      .refine(isHttpsOrLoopback, "must begin with https: only a copy on this machine is asked by http")
      .endsWith("/", "must end with /: the first digits of a hash are put behind it"),
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
  BACKUP_RECIPIENT: optional(
    z.string().refine(isRecipient, "must be a recipient of age, as age-keygen prints it: age1…"),
  ),
  CHROMIUM_PATH: optional(z.string()),
  FOYER_PROCESSES: withDefault(wholeNumber(1, PROCESSES_MAX, PROCESSES_FAULT), "1"),
  FOYER_PROCESS: optional(launched),
  FOYER_OUT_DIR: withDefault(z.string(), "dist"),
  FOYER_DEV: withDefault(flag, "false"),
});

/** What may stand in `.env` and in the environment. */
export const SETTING_NAMES: readonly string[] = Object.keys(names.shape);

const DEVELOPMENT_FAULT =
  "must be 1 with npm run dev, which starts its one process again at each change of a file";
const isOneInDevelopment = (values: z.infer<typeof names>) =>
  !values.FOYER_DEV || values.FOYER_PROCESSES === 1;

/** All of them, with what they need of one another. Issues name the setting. */
export const settings = names
  .refine(isOneInDevelopment, { path: ["FOYER_PROCESSES"], error: DEVELOPMENT_FAULT })
  .superRefine((values, context) => {
    const { PUBLIC_URL, SMTP_URL, MAIL_FROM, MAIL_BOUNCES, MAIL_RETURN_PATH } = values;
    const report = (name: keyof typeof names.shape, message: string) =>
      context.addIssue({ code: "custom", path: [name], message });
    if (values.DATABASE_OWNER_URL && !values.DATABASE_URL)
      report(
        "DATABASE_OWNER_URL",
        "belongs to DATABASE_URL: the built-in database has such an account by itself",
      );
    if (values.S3_REDIRECT !== undefined && !values.S3_URL)
      report("S3_REDIRECT", "belongs to S3_URL: files of the data folder have no other address");
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
