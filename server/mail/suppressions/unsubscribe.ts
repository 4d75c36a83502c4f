import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import { recordAudit } from "#server/audit/service.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { SYSTEM_ACTOR } from "#server/models/actor.ts";
import type { MailService } from "../service.ts";
import { maskAddress } from "./mask-address.ts";
import { lockStopped, selectRecipient } from "./unsubscribe-store.ts";

/** Whom a link that stops mails belongs to, as far as its page says so. */
export interface StopTarget {
  /** Masked: links are passed on. */
  address: string;
  language: Language;
}

export interface Unsubscribe {
  /** Changes nothing: programs open links. Undefined for a token of no message. */
  find(token: string): Promise<StopTarget | undefined>;
  /** Stops optional mails to the message's address, for good; once more changes nothing. Undefined as above. */
  stop(token: string, from: { ipAddress: string; requestId: string }): Promise<StopTarget | undefined>;
}

function toTarget(found: { recipient: string; language: Language } | undefined): StopTarget | undefined {
  return found && { address: maskAddress(found.recipient), language: found.language };
}

/** What is behind the link and the header that stop mails (RFC 8058). */
export function createUnsubscribe(parts: {
  pool: pg.Pool;
  mail: Pick<MailService, "suppress">;
}): Unsubscribe {
  const { pool, mail } = parts;
  return {
    find: async (token) => toTarget(await selectRecipient(pool, token)),

    stop: (token, from) =>
      withTransaction(pool, async (db) => {
        const found = await selectRecipient(db, token);
        const target = toTarget(found);
        if (!found || !target || (await lockStopped(db, found.recipient))) return target;
        const stop = { address: found.recipient, scope: "optional", source: "unsubscribe" } as const;
        await mail.suppress(db, { ...stop, reason: "The link in a mail was used.", createdById: null });
        // Nobody is signed in: whoever has the mail has its link.
        await recordAudit(
          db,
          { ...SYSTEM_ACTOR, ...from },
          {
            action: "CREATE",
            detail: "unsubscribe",
            objectRepr: target.address,
          },
        );
        return target;
      }),
  };
}
