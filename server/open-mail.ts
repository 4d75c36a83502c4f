import { join } from "node:path";
import type pg from "pg";
import type { Logger } from "pino";
import { deriveSecrets, loadSigningKeys } from "./accounts/keys.ts";
import type { Config } from "./config.ts";
import { composeMail } from "./mail/compose.ts";
import { createFileTransport, deleteMailFiles } from "./mail/outbox/file-transport.ts";
import type { QueueParts } from "./mail/outbox/queue.ts";
import { createMailSecrets } from "./mail/outbox/secrets.ts";
import { createSmtpTransport } from "./mail/outbox/smtp-transport.ts";
import { selectForgotten } from "./mail/outbox/store.ts";
import type { WorkerParts } from "./mail/outbox/worker.ts";
import { deleteOldMail, MAIL_SECRET, toDomain, toRetentionEnd } from "./mail/service.ts";
import { hasSampleRows } from "./sample/service.ts";
import { SITE_MODELS } from "./site/service.ts";
import { selectSite } from "./site/store.ts";

/** Settings that mails depend on. */
type MailConfig = Pick<Config, "dataDir" | "smtpUrl" | "mailFrom" | "mailBounces">;

/** Where mails are while there is no server to send them through. */
export function toMailFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "mail");
}

/** What a process needs to queue and to send mails: main.ts makes an outbox of it, cli.ts a command. */
export async function openMailParts(options: {
  config: MailConfig;
  pool: pg.Pool;
  log: Pick<Logger, "debug" | "info" | "warn" | "error">;
  now: () => Date;
  getOrigin: () => string;
}): Promise<{ worker: WorkerParts; queue: QueueParts }> {
  const { config, pool, log, now, getOrigin } = options;
  const secrets = createMailSecrets(deriveSecrets(await loadSigningKeys(config.dataDir), MAIL_SECRET));
  const transport = config.smtpUrl
    ? createSmtpTransport(config.smtpUrl)
    : createFileTransport(toMailFolder(config), log);
  // The name that the pages show; nobody's, while that came with the product.
  const getName = async () => {
    const [{ settings, name }, isSample] = await Promise.all([
      selectSite(pool),
      hasSampleRows(pool, SITE_MODELS),
    ]);
    return isSample ? "" : (settings?.author ?? name ?? "");
  };
  return {
    queue: { secrets, domain: toDomain(config.mailFrom.address), now },
    worker: {
      pool,
      secrets,
      transport,
      sender: { from: config.mailFrom, bounces: config.mailBounces },
      compose: composeMail,
      site: { getName, getOrigin },
      log,
      now,
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
export async function removeOldMail(config: MailConfig, pool: pg.Pool, now: Date): Promise<void> {
  await deleteOldMail(pool, now);
  await deleteMailFiles(toMailFolder(config), toRetentionEnd(now), await selectForgotten(pool));
}
