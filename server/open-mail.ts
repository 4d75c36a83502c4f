import { Resolver } from "node:dns/promises";
import { join } from "node:path";
import type pg from "pg";
import type { Logger } from "pino";
import type { Language } from "#contract/languages.ts";
import { type KeyRing, ofKeys, openKeyRing } from "./accounts/tokens/key-ring.ts";
import { deriveSecrets } from "./accounts/tokens/keys.ts";
import type { Config } from "./config.ts";
import { openKeyPlace } from "./db/keys/open-keys.ts";
import type { Finding } from "./health/service.ts";
import { composeMail } from "./mail/compose.ts";
import { offersStartTls } from "./mail/dns/lookup.ts";
import { createSendingDomainCheck, type SendingDomainCheck } from "./mail/dns/sending-domain.ts";
import type { MailWays } from "./mail/open.ts";
import type { QueueDeps } from "./mail/outbox/message.ts";
import { createReturnPath, selectReturnPathRefusal, toReturnPathServer } from "./mail/outbox/return-path.ts";
import { selectForgotten } from "./mail/outbox/store.ts";
import { createFileTransport, createSmtpTransport, deleteMailFiles } from "./mail/outbox/transports.ts";
import type { WorkerDeps } from "./mail/outbox/worker.ts";
import type { ReportSource } from "./mail/reports/report-source.ts";
import { createReportIntake } from "./mail/reports/reports.ts";
import { openReturnedMail } from "./mail/reports/returned/open-returned.ts";
import { createSesSource } from "./mail/reports/ses/ses-source.ts";
import { createMailgunSource } from "./mail/reports/webhooks/mailgun-source.ts";
import { createPostmarkSource } from "./mail/reports/webhooks/postmark-source.ts";
import { createSignedSource } from "./mail/reports/webhooks/signed-source.ts";
import { deleteOldMail, toRetentionEnd } from "./mail/retention.ts";
import { createMailSecrets } from "./mail/secrets.ts";
import { MAIL_SECRET, toDomain } from "./mail/service.ts";
import { hasSampleRows } from "./sample/service.ts";
import { toLook } from "./site/look.ts";
import { SITE_MODELS, toMailWords } from "./site/service.ts";
import { selectSite } from "./site/store.ts";

/** Settings that mails depend on. */
type MailConfig = Pick<
  Config,
  "dataDir" | "smtpUrl" | "mailFrom" | "mailBounces" | "mailReturnPath" | "mailReports"
> &
  Partial<Pick<Config, "keysSecret">>;

type WaysConfig = Omit<MailConfig, "dataDir">;

/** Where mails are while there is no server to send them through. */
export function toMailFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "mail");
}

/**
 * What a provider wants in a mail so that its reports name the mail. Amazon SES reports nothing of a mail that names no
 * configuration set, unless the identity has one by default.
 */
function toProviderHeaders({ mailReports }: MailConfig, reportToken: string): Record<string, string> {
  const { sesConfigurationSet, postmark, mailgunSigningKey } = mailReports;
  return {
    ...(sesConfigurationSet && { "X-SES-CONFIGURATION-SET": sesConfigurationSet }),
    ...(postmark && { "X-PM-Metadata-foyer-id": reportToken }),
    ...(mailgunSigningKey && { "X-Mailgun-Variables": JSON.stringify({ "foyer-id": reportToken }) }),
  };
}

/** The address that returned mail comes to, without what a mail of its own adds to it. */
function toBounceAddress(config: Pick<Config, "mailFrom" | "mailBounces" | "mailReturnPath">): string {
  return config.mailReturnPath === "sender" ? config.mailFrom.address : config.mailBounces;
}

/**
 * Our listener turns any other name of its domain away, and a provider knows the sender's domain. With a folder the mail server of
 * this machine is most likely the one that mails are handed to: it would refuse an unknown mailbox at once, which tries nothing, but
 * takes mail for a domain, and returns it when that turns out not to exist.
 */
function createReturningAddress(config: WaysConfig): MailWays["toReturningAddress"] {
  const { smtpUrl, mailFrom, mailBounces, mailReports } = config;
  const { listen, maildir } = mailReports;
  if (!smtpUrl) return undefined;
  if (maildir && !listen) return (name) => `nobody@${name}.${toDomain(toBounceAddress(config))}`;
  const domain = toDomain(listen ? mailBounces : mailFrom.address);
  return (name) => `${name}@${domain}`;
}

/** The ways in that the settings switch on. */
export function createMailWays(config: WaysConfig, now: () => Date): MailWays {
  const { sesTopics, postmark, mailgunSigningKey, webhookSecrets, listen, maildir, feedbackAddress } =
    config.mailReports;
  const webhooks: ReportSource[] = [];
  if (sesTopics.length > 0) webhooks.push(createSesSource({ topics: sesTopics, now }));
  if (postmark) webhooks.push(createPostmarkSource(postmark));
  if (mailgunSigningKey) webhooks.push(createMailgunSource({ signingKey: mailgunSigningKey, now }));
  if (webhookSecrets.length > 0) webhooks.push(createSignedSource({ secrets: webhookSecrets, now }));
  // A listener takes mail to return paths of single mails alone, and to the address for complaints.
  const listens = listen && (config.mailReturnPath === "verp" || feedbackAddress);
  const takesReturnedMail = Boolean(listens ?? maildir);
  return {
    webhooks,
    takesReturnedMail,
    hasFeedbackAddress: feedbackAddress !== undefined,
    toReturningAddress: createReturningAddress(config),
  };
}

/** Where `SMTP_URL` hands mail over; the ports are nodemailer's. */
export function toSmtpServer(smtpUrl: string): { host: string; port: number; isSecure: boolean } {
  const { protocol, hostname, port, searchParams } = new URL(smtpUrl);
  const isSecure = protocol === "smtps:" || searchParams.get("secure") === "true";
  const host = hostname.replace(/^\[|\]$/g, "");
  return { host, port: port === "" ? (isSecure ? 465 : 587) : Number(port), isSecure };
}

/** What receivers look up about the domain that mails come from; undefined where none are sent. Nothing is looked up before it is asked. */
export function createSendingDomain(options: {
  config: Pick<Config, "smtpUrl" | "mailFrom" | "mailBounces" | "mailReturnPath" | "mailDkimSelector">;
  log: Pick<Logger, "info">;
  now: () => Date;
}): SendingDomainCheck | undefined {
  const { config, log, now } = options;
  if (!config.smtpUrl) return undefined;
  return createSendingDomainCheck({
    domain: toDomain(config.mailFrom.address),
    bounceDomain: toDomain(toBounceAddress(config)),
    selector: config.mailDkimSelector,
    smtp: toSmtpServer(config.smtpUrl),
    resolver: new Resolver(),
    offersStartTls,
    now,
    onError: (error) => log.info({ err: error }, "the sending domain could not be looked up"),
  });
}

/** What takes returned mail beside the server, as far as it is set up. */
export function openReturned(options: {
  config: Pick<Config, "mailReports" | "mailBounces">;
  pool: pg.Pool;
  /** Whether other processes take it too. */
  isShared?: boolean;
  log: Pick<Logger, "info" | "warn" | "error">;
  now: () => Date;
}): Promise<{ close(): Promise<void> }> {
  const { config, pool, isShared = false, log, now } = options;
  const intake = createReportIntake({ pool, log, now });
  return openReturnedMail({
    ...config.mailReports,
    bounces: config.mailBounces,
    isShared,
    pool,
    intake,
    log,
  });
}

/** What the health page says where the mail server takes no return path but the sender's; nothing else is worth a line. */
function createReturnPathCheck(config: MailConfig, pool: pg.Pool, server: string): () => Promise<Finding> {
  const { smtpUrl, mailFrom, mailReturnPath, mailReports } = config;
  return async () => {
    if (!smtpUrl || mailReturnPath === "sender") return { status: "healthy" };
    const refusal = await selectReturnPathRefusal(pool, server);
    if (!refusal) return { status: "healthy" };
    const webhooks = createMailWays(config, () => new Date()).webhooks.map(({ name }) => name);
    const vars = { address: mailFrom.address, answer: refusal.answer, ways: webhooks.join(", ") };
    if (webhooks.length > 0) return { status: "warning", reason: "return_path_webhooks", vars };
    const reason = mailReports.maildir ? "return_path_folder" : "return_path_mailbox";
    return { status: "warning", reason, vars };
  };
}

/** What a process needs to queue and to send mails: main.ts makes an outbox of it, cli.ts a command. */
export async function openMailDeps(options: {
  config: MailConfig;
  pool: pg.Pool;
  log: Pick<Logger, "debug" | "info" | "warn" | "error">;
  now: () => Date;
  /** Whether other processes send too. */
  isShared?: boolean;
  getOrigin: () => string;
  /** Left out: as they are now, for a command. */
  keys?: KeyRing;
}): Promise<{ worker: WorkerDeps; queue: QueueDeps; checkReturnPath: () => Promise<Finding> }> {
  const { config, pool, log, now, isShared = false, getOrigin } = options;
  const keys = options.keys ?? (await openKeyRing({ log, place: await openKeyPlace(pool, config, log) }));
  const secrets = ofKeys(keys, (current) => createMailSecrets(deriveSecrets(current, MAIL_SECRET)));
  const { smtpUrl, mailBounces: bounces, mailReturnPath: wanted } = config;
  const server = toReturnPathServer(secrets, { smtpUrl, from: config.mailFrom.address, bounces });
  const transport = config.smtpUrl
    ? createSmtpTransport(config.smtpUrl)
    : createFileTransport(toMailFolder(config), log);
  // The name that the pages show; nobody's, while that came with the product.
  const getOwner = async (lang: Language) => {
    const [{ settings, name, wording, look }, isSample] = await Promise.all([
      selectSite(pool),
      hasSampleRows(pool, SITE_MODELS),
    ]);
    return {
      name: isSample ? "" : (settings?.author ?? name ?? ""),
      words: toMailWords(wording, lang),
      accent: toLook(look).accent,
    };
  };
  return {
    queue: { secrets, domain: toDomain(config.mailFrom.address), now },
    checkReturnPath: createReturnPathCheck(config, pool, server),
    worker: {
      pool,
      secrets,
      transport,
      sender: {
        from: config.mailFrom,
        bounces,
        toProviderHeaders: (token) => toProviderHeaders(config, token),
      },
      returnPath: createReturnPath({ pool, server, wanted, now, log }),
      compose: composeMail,
      site: { getOwner, getOrigin },
      log,
      now,
      isShared,
    },
  };
}

/** Removes the files of mails whose person was taken out. */
export async function deleteForgottenMailFiles(
  config: Pick<Config, "dataDir">,
  pool: pg.Pool,
): Promise<void> {
  await deleteMailFiles(toMailFolder(config), new Date(0), await selectForgotten(pool));
}

/** Removes mails that are older than a year, rows and files, and files of people who are gone. Called at start and daily. */
export async function removeOldMail(
  config: Pick<Config, "dataDir">,
  pool: pg.Pool,
  now: Date,
): Promise<void> {
  await deleteOldMail(pool, now);
  await deleteMailFiles(toMailFolder(config), toRetentionEnd(now), await selectForgotten(pool));
}
