import { join } from "node:path";
import type { Queryable } from "#server/db/pool.ts";
import type { Floor } from "#server/floor.ts";
import type { AnswerOnce } from "#server/http/pages/pages.ts";
import type { App } from "#server/http/zod.ts";
import { createOwnAddress, createReadMailStates, type OwnAddress } from "./address/address-states.ts";
import { type AlarmDeps, createAlarmWatch, createMailAlarms } from "./alarms/alarms.ts";
import { createMailRules } from "./alarms/rules.ts";
import { openMailbox, registerMailboxRoutes } from "./mailbox.ts";
import { MESSAGE_MODEL, type QueueDeps } from "./outbox/message.ts";
import type { ReportSource } from "./reports/report-source.ts";
import { createReportIntake, createReportReader } from "./reports/reports.ts";
import { returnedSource } from "./reports/returned/returned-source.ts";
import { createReportCalls, registerMailWebhooks, registerReportRoutes } from "./reports/routes.ts";
import { createMailSources } from "./reports/sources.ts";
import { createForgetPerson } from "./retention.ts";
import {
  registerHoldRoutes,
  registerResendRoutes,
  registerSourceRoutes,
  registerStatsRoutes,
  registerTimelineRoutes,
} from "./routes.ts";
import { createMailSecrets } from "./secrets.ts";
import {
  createMailService,
  MAIL_SECRET,
  type MailService,
  type ReadMailStates,
  toDomain,
} from "./service.ts";
import { createMailStatistics, isAcceptedOnly } from "./stats.ts";
import { createSuppressionCalls, registerSuppressionRoutes } from "./suppressions/suppression-routes.ts";
import { createSuppressions, type FindProtectedAddresses } from "./suppressions/suppressions.ts";
import { createUnsubscribe, registerUnsubscribe } from "./suppressions/unsubscribe.ts";
import { createResend } from "./triage/resend.ts";
import { createTriage } from "./triage/triage.ts";
import { registerTriageRoutes } from "./triage/triage-routes.ts";

/** The ways by which what becomes of mails is reported to this site. None: nothing is known of a mail that was handed over. */
export interface MailWays {
  webhooks: readonly ReportSource[];
  /** Mail that comes back is taken by a listener or out of a folder, beside the server. */
  takesReturnedMail: boolean;
  /** An address of ours where providers send complaints, which come in by the same ways as returned mail. */
  hasFeedbackAddress?: boolean;
  /** Makes an address of a name that no mailbox has: what is sent there comes back. Undefined: mails are files. */
  toReturningAddress?: ((name: string) => string) | undefined;
}

export interface MailOptions {
  mailWays?: MailWays;
}

/** What puts mails into the outbox: as a service for other subjects, and as what this one queues with. */
export function openMailQueue(floor: Pick<Floor, "ofSecrets" | "config" | "now">): {
  mail: MailService;
  queue: QueueDeps;
} {
  const { config, now } = floor;
  const secrets = floor.ofSecrets(MAIL_SECRET, createMailSecrets);
  const queue = { secrets, domain: toDomain(config.mailFrom.address), now };
  const service = floor.ofSecrets(MAIL_SECRET, (current) =>
    createMailService({ secrets: current, from: config.mailFrom, now }),
  );
  return { mail: { ...service, forgetPerson: createForgetPerson(queue) }, queue };
}

interface MailDeps extends MailOptions {
  /** Puts mails into the outbox: those that are sent again, and what tries an address. */
  mail: Pick<MailService, "queue">;
  queue: QueueDeps;
  isStaffAddress(db: Queryable, addressKey: string): Promise<boolean>;
  findProtectedAddresses: FindProtectedAddresses;
  isStaff(db: Queryable, userId: number): Promise<boolean>;
  listStaff: AlarmDeps["listStaff"];
  answerOnce: AnswerOnce;
}

/**
 * What becomes of mails once they are handed over: reports, suppressions and what people and staff do about them, with their
 * endpoints; in development the mailbox too.
 */
export async function openMail(
  app: App,
  floor: Floor,
  deps: MailDeps,
): Promise<{ readMailStates: ReadMailStates; ownAddress: OwnAddress }> {
  const shared = { ...floor, ...deps, publicUrl: floor.config.publicUrl };
  const { pool, registry, mail, queue, now } = shared;
  const { secrets } = queue;
  const ways = deps.mailWays ?? { webhooks: [], takesReturnedMail: false };
  const getContentTypeId = (key: string) => registry.byKey.get(key)?.contentTypeId ?? null;
  const suppressions = createSuppressions({
    getContentTypeId: () => getContentTypeId("mail.suppression"),
    secrets,
    findProtectedAddresses: deps.findProtectedAddresses,
    now,
  });
  const { webhooks, takesReturnedMail, hasFeedbackAddress = false } = ways;
  const names = [...webhooks.map(({ name }) => name), ...(takesReturnedMail ? [returnedSource.name] : [])];
  const isAccepted = isAcceptedOnly(names);
  const intake = createReportIntake(shared);
  // Reports of returned mail that are there are read also where no more are taken.
  const rules = createMailRules(shared.feed);
  const reader = createReportReader({
    ...shared,
    sources: [...webhooks, returnedSource],
    suppressions,
    rules,
    isAccepted,
  });
  app.addHook("onListen", async () => reader.start());
  app.addHook("onClose", reader.close);
  await registerMailWebhooks(app, webhooks, intake);
  const resend = createResend({ pool, queue, getContentTypeId });
  registerResendRoutes(app, { resend, requireLevel: shared.requireLevel });
  const { findStopped } = resend;
  const triage = createTriage({ ...shared, suppressions, findStopped, getContentTypeId });
  registerTriageRoutes(app, { triage, requireLevel: shared.requireLevel });
  const calls = createSuppressionCalls({ ...shared, suppressions, findStopped });
  registerSuppressionRoutes(app, { calls, requireLevel: shared.requireLevel });
  const statistics = createMailStatistics({ db: pool, sources: names, hasFeedbackAddress, now });
  registerStatsRoutes(app, { statistics, requireLevel: shared.requireLevel });
  const sources = createMailSources({
    ...shared,
    names,
    hasFeedbackAddress,
    toReturningAddress: ways.toReturningAddress,
    getContentTypeId: () => getContentTypeId(MESSAGE_MODEL),
  });
  registerSourceRoutes(app, { ...shared, sources });
  registerTimelineRoutes(app, { ...shared, db: pool, addressSecrets: secrets.addressSecrets });
  registerReportRoutes(app, { ...shared, calls: createReportCalls({ pool }) });
  const alarms = createMailAlarms({
    ...shared,
    rules,
    isAccepted,
    addressSecrets: secrets.addressSecrets,
    getContentTypeId: () => getContentTypeId("mail.alarm"),
  });
  registerHoldRoutes(app, { alarms, requireLevel: shared.requireLevel });
  const watch = createAlarmWatch({ ...shared, alarms });
  app.addHook("onListen", async () => watch.start());
  app.addHook("onClose", watch.close);
  await registerUnsubscribe(app, {
    unsubscribe: createUnsubscribe({ pool, suppressions, now }),
    answerOnce: deps.answerOnce,
  });
  if (floor.config.isDevelopment) {
    const mailbox = openMailbox(join(floor.config.dataDir, "mail"));
    registerMailboxRoutes(app, { mailbox, requireLevel: floor.requireLevel });
  }
  return {
    readMailStates: createReadMailStates({ secrets, now }),
    ownAddress: createOwnAddress({ suppressions, mail, secrets, now }),
  };
}
