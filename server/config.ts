import { resolve } from "node:path";
import type * as z from "zod";
import type { SinkTarget } from "./audit/chain/target.ts";
import { toRemote } from "./backup/remote/address.ts";
import {
  type DailyBackupConfig,
  type HstsConfig,
  type LocalTurnConfig,
  type MailReportsConfig,
  toHsts,
} from "./config-values.ts";
import type { FileStoreConfig } from "./files/stores.ts";
import type { OtlpConfig } from "./http/otlp-settings.ts";
import type { Launched } from "./launch/launched.ts";
import { settings } from "./settings.ts";

/** Stands in the head of mails that are files. */
export const LOCAL_SENDER = { name: "Foyer", address: "foyer@localhost" };
/** Their values hold passwords. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  "DATABASE_URL",
  "DATABASE_OWNER_URL",
  "REDIS_URL",
  "S3_URL",
  "KEYS_SECRET",
  "SMTP_URL",
  "TURN_SECRET",
  "JANUS_SECRET",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "POSTMARK_WEBHOOK",
  "MAILGUN_SIGNING_KEY",
  "MAIL_WEBHOOK_SECRETS",
  "BACKUP_TO",
  // Somebody may have put the identity there.
  "BACKUP_RECIPIENT",
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
  /** Whom a site that root started becomes; `root`: nobody. */
  siteUser: string | undefined;
  databaseUser: string | undefined;
  /** What the keys are sealed with in the database, the same in every process; undefined: keys are files of the data folder. */
  keysSecret: string | undefined;
  databaseUrl: string | undefined;
  /** Whose the audit log of that database is; undefined: the account's of `databaseUrl`. */
  databaseOwnerUrl: string | undefined;
  /** What the processes of the site reach each other by; undefined: this one is alone. */
  redisUrl: string | undefined;
  /** Where files are; undefined: in the data folder. */
  fileStore: FileStoreConfig | undefined;
  logLevel: string;
  /** One line a request, at level info. */
  logRequests: boolean;
  trustProxy: boolean | string | ((address: string, hop: number) => boolean);
  /** How long a stop waits for balancers to see that this process goes, before it closes anything. */
  drainSeconds: number;
  /** Opens /metrics to who sends it; undefined: there is no such address. */
  metricsToken: string | undefined;
  /** Where traces go, an OpenTelemetry collector; undefined: nowhere. */
  otlp: OtlpConfig | undefined;
  /** False: no such header is sent. */
  hsts: HstsConfig | false;
  /** Who may read the description of the API; undefined: everybody. */
  apiDocsLevel: number | undefined;
  /** How long an access token is good before the browser renews it. */
  accessTokenMinutes: number;
  /** How long a session lasts from its log-in on. */
  sessionDays: number;
  /** How long one lasts without use where it opens the console. */
  consoleIdleHours: number;
  /** How long the audit log is kept. */
  auditRetentionMonths: number;
  /** Where entries of the audit log go too; undefined: nowhere. */
  auditSink: SinkTarget | undefined;
  ownerEmail: string | undefined;
  /** The access level from which on a second factor is needed; undefined: nobody needs one. */
  secondFactorLevel: number | undefined;
  /** Where the first digits of a password's SHA-1 are asked for; undefined: nowhere. */
  breachedPasswordsUrl: string | undefined;
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
  /** How many processes a start makes on this machine. */
  processCount: number;
  /** Which of them this is; undefined: it was started by itself. */
  launched: Launched | undefined;
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
  const parsed = settings.safeParse(environment);
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
    siteUser: values.FOYER_USER,
    databaseUser: values.FOYER_DB_USER,
    keysSecret: values.KEYS_SECRET,
    databaseUrl: values.DATABASE_URL,
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    redisUrl: values.REDIS_URL,
    fileStore: values.S3_URL && { address: values.S3_URL, isRedirected: values.S3_REDIRECT ?? false },
    logLevel: values.LOG_LEVEL,
    logRequests: values.LOG_REQUESTS,
    trustProxy: values.TRUST_PROXY,
    drainSeconds: values.DRAIN_SECONDS,
    metricsToken: values.METRICS_TOKEN,
    otlp: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, headers: values.OTEL_EXPORTER_OTLP_HEADERS }
      : undefined,
    hsts: toHsts(values.HSTS, values.PUBLIC_URL),
    apiDocsLevel: values.API_DOCS_LEVEL,
    accessTokenMinutes: values.ACCESS_TOKEN_MINUTES,
    sessionDays: values.SESSION_DAYS,
    consoleIdleHours: values.CONSOLE_IDLE_HOURS,
    auditRetentionMonths: values.AUDIT_RETENTION_MONTHS,
    auditSink: values.AUDIT_SINK,
    ownerEmail: values.OWNER_EMAIL,
    secondFactorLevel: values.SECOND_FACTOR_LEVEL,
    breachedPasswordsUrl: values.BREACHED_PASSWORDS_URL,
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
    // Several processes of a machine use one relay: their launcher gives them its secret where the settings have none.
    turnSecret: values.TURN_SECRET ?? (values.TURN === "local" ? values.FOYER_PROCESS?.secret : undefined),
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
      recipient: values.BACKUP_RECIPIENT,
    },
    chromiumPath: values.CHROMIUM_PATH === undefined ? undefined : resolve(root, values.CHROMIUM_PATH),
    processCount: values.FOYER_PROCESSES,
    launched: values.FOYER_PROCESS,
    outDir: resolve(root, values.FOYER_OUT_DIR),
  };
}
