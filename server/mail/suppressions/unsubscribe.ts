import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { maskAddress } from "./mask-address.ts";
import { toStopReason } from "./stop-reasons.ts";
import { type Suppressions, toSystemAuthor } from "./suppressions.ts";
import { insertUnsubscribed, selectRecipient } from "./unsubscribe-store.ts";

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
  suppressions: Pick<Suppressions, "suppress">;
  now: () => Date;
}): Unsubscribe {
  const { pool, suppressions, now } = parts;
  return {
    find: async (token) => toTarget(await selectRecipient(pool, token)),

    stop: (token, from) =>
      withTransaction(pool, async (db) => {
        const found = await selectRecipient(db, token);
        if (!found) return undefined;
        const wanted = {
          address: found.recipient,
          scope: "optional",
          source: "unsubscribe",
          reason: toStopReason("link"),
          sourceEventId: await insertUnsubscribed(db, token, now()),
          expiresAt: null,
        } as const;
        // Nobody is signed in: whoever has the mail has its link.
        await suppressions.suppress(db, wanted, toSystemAuthor("unsubscribe", from));
        return toTarget(found);
      }),
  };
}
