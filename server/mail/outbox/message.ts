import { randomBytes } from "node:crypto";
import type { Queryable } from "#server/db/pool.ts";
import { notifyChange } from "../../db/change-notices.ts";
import type { ColumnValues, OutgoingMail } from "../kind.ts";
import { getMailKind } from "../kinds.ts";
import type { MailSecrets } from "../secrets.ts";
import { expireOlderCodes, insertMessage, type NewMessage } from "./store.ts";

/** What the change feed says when there is something to send, without numbers, and with them when a mail was sent. */
export const MESSAGE_MODEL = "mail.message";

/** 96 bits: nobody guesses one. Hexadecimal, because servers on the way may change the case of a return path. */
const TOKEN_BYTES = 12;

export interface QueueParts {
  secrets: MailSecrets;
  /** The domain that Message-IDs end with: that of the sender's address. */
  domain: string;
  now: () => Date;
}

/** Splits a mail into its columns: what the template shows goes to `vars`, a code is encrypted and goes nowhere else. */
function toMessage({ secrets, domain, now }: QueueParts, mail: OutgoingMail): NewMessage {
  const toRandomText = () => randomBytes(TOKEN_BYTES).toString("hex");
  const token = toRandomText();
  const { kind, recipient, language, code, expiresAt, userId, contactMessageId, ...vars } = {
    ...({} as ColumnValues),
    ...mail,
  };
  // The form is open to anybody, who may type anybody's address.
  const day = now().toISOString().slice(0, 10);
  return {
    token,
    reportToken: toRandomText(),
    // Not the token: a reply names the Message-ID, and whoever has the token can stop mails.
    messageId: `<${toRandomText()}@${domain}>`,
    kind,
    recipient,
    language,
    vars,
    secret: code === undefined ? null : secrets.seal(token, code),
    dedupeKey: getMailKind(mail).isOncePerDay ? secrets.toKey(kind, recipient.toLowerCase(), day) : null,
    expiresAt: expiresAt ?? null,
    contactMessageId: contactMessageId ?? null,
    userId: userId ?? null,
  };
}

/**
 * Puts a mail into the outbox. `dedupeKey`: in place of the kind's own.
 * @returns the row's id; undefined when an equal one was there.
 */
export async function queueMail(
  parts: QueueParts,
  db: Queryable,
  mail: OutgoingMail,
  dedupeKey?: string,
): Promise<number | undefined> {
  const message = { ...toMessage(parts, mail), ...(dedupeKey !== undefined && { dedupeKey }) };
  if (message.secret !== null) await expireOlderCodes(db, message, parts.now());
  const id = await insertMessage(db, message, parts.now());
  if (id !== undefined) await notifyChange(db, MESSAGE_MODEL);
  return id;
}
