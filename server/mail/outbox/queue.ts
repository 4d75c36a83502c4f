import { randomBytes } from "node:crypto";
import { notifyChange } from "#server/db/changes.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { OutgoingMail } from "../outgoing-mail.ts";
import type { MailSecrets } from "./secrets.ts";
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
  const code = "code" in mail ? mail.code : null;
  const common = {
    token,
    // Not the token: a reply names the Message-ID, and whoever has the token can stop mails.
    messageId: `<${toRandomText()}@${domain}>`,
    kind: mail.kind,
    recipient: mail.recipient,
    language: mail.language,
    secret: code === null ? null : secrets.seal(token, code),
    dedupeKey: null,
    expiresAt: "expiresAt" in mail ? mail.expiresAt : null,
    contactMessageId: "contactMessageId" in mail ? mail.contactMessageId : null,
    userId: "userId" in mail ? mail.userId : null,
  };
  switch (mail.kind) {
    case "verification_code":
    case "change_email_code":
    case "password_reset":
    case "account_exists":
    case "account_made":
      return { ...common, vars: { username: mail.username } };
    case "new_sign_in": {
      const { username, device, ipAddress, at } = mail;
      return { ...common, vars: { username, device, ipAddress, at } };
    }
    case "address_changed": {
      const { username, newAddress, at } = mail;
      return { ...common, vars: { username, newAddress, at } };
    }
    case "password_changed":
      return { ...common, vars: { username: mail.username, at: mail.at } };
    case "room_entered": {
      const { username, roomName, roomSlug, newcomerName } = mail;
      return { ...common, vars: { username, roomName, roomSlug, newcomerName } };
    }
    case "contact_message": {
      const { name, email, subject, message } = mail;
      return { ...common, vars: { name, email, subject, message } };
    }
    case "contact_acknowledgement": {
      // One a day for an address: the form is open to anybody, who may type anybody's address.
      const day = now().toISOString().slice(0, 10);
      const dedupeKey = secrets.toKey(mail.kind, mail.recipient.toLowerCase(), day);
      return { ...common, dedupeKey, vars: {} };
    }
    case "test":
      return { ...common, vars: {} };
  }
}

/** Puts a mail into the outbox. @returns the row's id; undefined when an equal one was there. */
export async function queueMail(
  parts: QueueParts,
  db: Queryable,
  mail: OutgoingMail,
): Promise<number | undefined> {
  const message = toMessage(parts, mail);
  if (message.secret !== null) await expireOlderCodes(db, message, parts.now());
  const id = await insertMessage(db, message, parts.now());
  if (id !== undefined) await notifyChange(db, MESSAGE_MODEL);
  return id;
}
