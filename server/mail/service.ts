import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { ChangeFeed } from "#server/db/changes.ts";
import type { Queryable } from "#server/db/pool.ts";

interface Addressed {
  recipient: string;
  language: Language;
}

/** A mail that somebody causes, by kind. `at` and `expiresAt` are ISO moments. */
export type OutgoingMail = Addressed &
  (
    | { kind: "verification_code"; userId: number; username: string; code: string; expiresAt: string }
    | { kind: "change_email_code"; userId: number; username: string; code: string; expiresAt: string }
    | { kind: "password_reset"; userId: number; username: string; code: string; expiresAt: string }
    /** Somebody registered, or wants to move, to an address that has an account already: its owner is told. */
    | { kind: "account_exists"; userId: number; username: string }
    | {
        kind: "new_sign_in";
        userId: number;
        username: string;
        device: string;
        ipAddress: string;
        at: string;
      }
    /** To the address before. */
    | { kind: "address_changed"; userId: number; username: string; newAddress: string; at: string }
    | { kind: "password_changed"; userId: number; username: string; at: string }
    | {
        kind: "contact_message";
        contactMessageId: number;
        name: string;
        email: string;
        subject: string;
        message: string;
      }
    | { kind: "contact_acknowledgement"; contactMessageId: number }
    | { kind: "test" }
  );

export interface MailService {
  /**
   * Puts a mail into the outbox with the connection of the write that causes it: both commit or neither does. The worker
   * hears of it at commit.
   */
  queue(db: Queryable, mail: OutgoingMail): Promise<void>;
}

export function createMailService(_parts: {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "subscribe">;
  /** Encrypts codes. */
  secret: Buffer;
  now: () => Date;
}): MailService {
  return {
    async queue(db, { kind, recipient, language, ...vars }) {
      await db.query(
        `INSERT INTO mail_message (token, message_id, kind, recipient, language, vars)
         VALUES ($1, $1, $2, $3, $4, $5)`,
        [randomBytes(16).toString("hex"), kind, recipient, language, JSON.stringify(vars)],
      );
    },
  };
}
