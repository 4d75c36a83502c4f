import type { Queryable } from "#server/db/pool.ts";
import type { AddressOwner, OwnAddress, ReadMailStates } from "./address/address-states.ts";
import { holdRestored } from "./alarms/alarm-store.ts";
import type { OutgoingMail } from "./kind.ts";
import { queueMail } from "./outbox/message.ts";
import { type OutboxState, selectOutboxState } from "./outbox/store.ts";
import { createMailSecrets } from "./secrets.ts";

export type { AddressOwner, OutboxState, OutgoingMail, OwnAddress, ReadMailStates };
export { holdRestored };

/** What the secret of mails is derived for: the process that queues and the one that sends need the same. */
export const MAIL_SECRET = "mail secrets";

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

/** What queues. `forgetPerson` is of retention.ts; `openMailQueue` puts the two together. */
export function createMailService({ secrets, from, now }: MailServiceDeps): Pick<MailService, "queue"> {
  const deps = { secrets: createMailSecrets(secrets), domain: toDomain(from.address), now };
  return {
    async queue(db, mail) {
      await queueMail(deps, db, mail);
    },
  };
}

/** What waits in the outbox, for the health page. */
export function getOutboxState(db: Queryable, now: Date): Promise<OutboxState> {
  return selectOutboxState(db, now);
}
