import { forgetObjects } from "#server/audit/service.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { freeHeld } from "./alarms/alarm-store.ts";
import { blankStrayReports, cutFromTexts, hashSuppressions, selectTriageIds } from "./forget-store.ts";
import { MESSAGE_MODEL, type QueueDeps } from "./outbox/message.ts";
import { blankMessagesOf, deleteMessagesBefore } from "./outbox/store.ts";
import { deleteReportsBefore } from "./reports/report-store.ts";
import { toAddressKey } from "./secrets.ts";
import type { MailService } from "./service.ts";
import { deleteChangesBefore, lockAddresses } from "./suppressions/suppression-store.ts";

/** How long the outbox shows what was sent to whom. The privacy page says the same. */
export const MAIL_RETENTION_DAYS = 365;
/** How long what a report said is kept as it came, scrubbed. The privacy page says the same. */
export const REPORT_RETENTION_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Takes people out of mails; `MailService` says what that means. */
export const createForgetPerson =
  ({ secrets: { addressSecrets }, now }: Pick<QueueDeps, "secrets" | "now">): MailService["forgetPerson"] =>
  async (db, person) => {
    const messageIds = await blankMessagesOf(db, person, now());
    const keys = person.addresses.map(toAddressKey);
    const words = [...new Set([...keys, ...person.addresses])];
    await lockAddresses(db, keys, addressSecrets);
    const suppressionIds = await hashSuppressions(db, { keys, messageIds, addressSecrets });
    await blankStrayReports(db, { keys, words });
    await cutFromTexts(db, words);
    const objects = {
      [MESSAGE_MODEL]: messageIds,
      "mail.suppression": suppressionIds,
      "mail.bounce": await selectTriageIds(db, "mail_bounce", messageIds),
      "mail.complaint": await selectTriageIds(db, "mail_complaint", messageIds),
    };
    for (const [model, ids] of Object.entries(objects)) {
      await forgetObjects(db, model, { ids, words });
      if (ids.length > 0 || model === MESSAGE_MODEL) await notifyChange(db, model);
    }
  };

/** What is older than this goes. */
export function toRetentionEnd(now: Date): Date {
  return new Date(now.getTime() - MAIL_RETENTION_DAYS * DAY_MS);
}

/**
 * Removes mails that are older than a year, whatever became of them, with their events, bounces and complaints; reports that are
 * older than 90 days; and what could be undone of suppressions for a year. Mails that an alarm held for too long are given up.
 * @returns how many mails were removed. Called at start and daily.
 */
export async function deleteOldMail(db: Queryable, now: Date): Promise<number> {
  await deleteReportsBefore(db, new Date(now.getTime() - REPORT_RETENTION_DAYS * DAY_MS));
  await deleteChangesBefore(db, toRetentionEnd(now));
  if ((await freeHeld(db, now)) > 0) await notifyChange(db, MESSAGE_MODEL);
  return deleteMessagesBefore(db, toRetentionEnd(now));
}
