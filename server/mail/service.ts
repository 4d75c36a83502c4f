import { forgetObjects } from "#server/audit/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { notifyChange } from "../db/change-notices.ts";
import type { AddressOwner, OwnAddress, ReadMailStates } from "./address/address-states.ts";
import { freeHeld } from "./alarms/alarm-store.ts";
import { blankStrayReports, cutFromTexts, hashSuppressions, selectTriageIds } from "./forget-store.ts";
import type { OutgoingMail } from "./kind.ts";
import { MESSAGE_MODEL, queueMail } from "./outbox/message.ts";
import {
  blankMessagesOf,
  deleteMessagesBefore,
  type OutboxState,
  selectOutboxState,
} from "./outbox/store.ts";
import { deleteReportsBefore } from "./reports/report-store.ts";
import { createMailSecrets, toAddressKey } from "./secrets.ts";
import { deleteChangesBefore, lockAddresses } from "./suppressions/suppression-store.ts";

export type { AddressOwner, OutgoingMail, OwnAddress, ReadMailStates };

/** What the secret of mails is derived for: the process that queues and the one that sends need the same. */
export const MAIL_SECRET = "mail secrets";

/** How long the outbox tells what was sent to whom. The privacy page says the same. */
const MAIL_RETENTION_DAYS = 365;
/** How long what a report said is kept as it came, scrubbed. The privacy page says the same. */
const REPORT_RETENTION_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface MailService {
  /**
   * Puts a mail into the outbox with the connection of the write that causes it: both commit or neither does. The worker is
   * notified at commit. A second acknowledgement of one day to one address is left out, and a code takes the place of an older
   * one of its kind that still waits for the same address.
   */
  queue(db: Queryable, mail: OutgoingMail): Promise<void>;
  /**
   * Takes a person who deletes their account out of their mails, before the account's row goes, and out of mails of nobody's
   * account to their `addresses` (in lower case), such as receipts of the contact form. What waits isn't sent. Suppressions of
   * the addresses still hold, by a hash; the log's entries about all of these lose what they say.
   */
  forgetPerson(db: Queryable, person: { userId: number; addresses: readonly string[] }): Promise<void>;
}

export interface MailServiceDeps {
  /** Encrypt codes and hide addresses in keys; the same for every process of the site. The first one writes. */
  secrets: readonly [Buffer, ...Buffer[]];
  /** The sender's address. */
  from: { address: string };
  now: () => Date;
}

/** What stands after the `@`. */
export function toDomain(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

export function createMailService({ secrets, from, now }: MailServiceDeps): MailService {
  const deps = { secrets: createMailSecrets(secrets), domain: toDomain(from.address), now };
  return {
    async queue(db, mail) {
      await queueMail(deps, db, mail);
    },
    async forgetPerson(db, person) {
      const messageIds = await blankMessagesOf(db, person, now());
      const keys = person.addresses.map(toAddressKey);
      const words = [...new Set([...keys, ...person.addresses])];
      const { addressSecrets } = deps.secrets;
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
    },
  };
}

/** What is older than this goes. */
export function toRetentionEnd(now: Date): Date {
  return new Date(now.getTime() - MAIL_RETENTION_DAYS * DAY_MS);
}

/** What waits in the outbox, for the health page. */
export function getOutboxState(db: Queryable, now: Date): Promise<OutboxState> {
  return selectOutboxState(db, now);
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
