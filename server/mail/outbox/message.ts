import { randomBytes } from "node:crypto";
import type { SendMailOptions } from "nodemailer";
import * as z from "zod";
import { getRequestId } from "../../base/actor.ts";
import { notifyChange } from "../../db/change-notices.ts";
import type { Queryable } from "../../db/pool.ts";
import type { ComposedMail } from "../compose.ts";
import type { ColumnValues, OutgoingMail } from "../kind.ts";
import { getMailKind, MAIL_KINDS } from "../kinds.ts";
import type { MailSecrets } from "../secrets.ts";
import type { LeasedMessage } from "./lease-store.ts";
import { expireOlderCodes, insertMessage, type NewMessage, selectSealed } from "./store.ts";

/** What the change feed says when there is something to send, without numbers, and with them when a mail was sent. */
export const MESSAGE_MODEL = "mail.message";

/** 96 bits: nobody guesses one. Hexadecimal, because servers on the way may change the case of a return path. */
const TOKEN_BYTES = 12;

export interface QueueDeps {
  secrets: MailSecrets;
  /** The domain that Message-IDs end with: that of the sender's address. */
  domain: string;
  now: () => Date;
}

/** Splits a mail into its columns: what the template shows goes to `vars`, code and proof are encrypted and go nowhere else. */
function toMessage({ secrets, domain, now }: QueueDeps, mail: OutgoingMail): NewMessage {
  const toRandomText = () => randomBytes(TOKEN_BYTES).toString("hex");
  const token = toRandomText();
  const { kind, recipient, language, code, expiresAt, userId, contactMessageId, proof, ...vars } = {
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
    secret: code === undefined ? null : secrets.seal(token, [code, proof].filter(Boolean).join(" ")),
    dedupeKey: getMailKind(mail).isOncePerDay ? secrets.toKey(kind, recipient.toLowerCase(), day) : null,
    expiresAt: expiresAt ?? null,
    contactMessageId: contactMessageId ?? null,
    userId: userId ?? null,
    requestId: getRequestId() ?? null,
  };
}

/**
 * Puts a mail into the outbox. `dedupeKey`: in place of the kind's own.
 * @returns the row's id; undefined when an equal one was there.
 */
export async function queueMail(
  deps: QueueDeps,
  db: Queryable,
  mail: OutgoingMail,
  dedupeKey?: string,
): Promise<number | undefined> {
  const message = { ...toMessage(deps, mail), ...(dedupeKey !== undefined && { dedupeKey }) };
  if (message.secret !== null) await expireOlderCodes(db, message, deps.now());
  const id = await insertMessage(db, message, deps.now());
  if (id !== undefined) await notifyChange(db, MESSAGE_MODEL);
  return id;
}

/** A message that can't become a mail any more. The text is the reason, as the outbox shows it. */
export class StoredMailError extends Error {
  override name = "StoredMailError";
}

/** What of a row a mail is made of. */
export type StoredMail = Pick<
  LeasedMessage,
  | "token"
  | "secret"
  | "kind"
  | "recipient"
  | "language"
  | "vars"
  | "expires_at"
  | "contact_message_id"
  | "user_id"
>;

const addressed = z.object({
  // Angle brackets, line ends or a space would end a command of SMTP; the others make a list or a comment of an address.
  recipient: z.string().regex(/^[^\s<>,;:"()@\p{Cc}]+@[^\s<>,;:"()@\p{Cc}]+$/u),
  language: z.enum(["en", "tr"]),
});

/** How many mails that wait will fail because other keys than this site's sealed their codes: its data folder is another than before. */
export async function countUnreadable(db: Queryable, secrets: MailSecrets): Promise<number> {
  const isUnreadable = ({ token, secret }: { token: string; secret: string }) => {
    try {
      secrets.open(token, secret);
      return false;
    } catch {
      return true; // the cipher says nothing more
    }
  };
  return (await selectSealed(db)).filter(isUnreadable).length;
}

/** As `toMessage` sealed them. */
function openCode({ token, secret }: StoredMail, secrets: MailSecrets): { code?: string; proof?: string } {
  if (secret === null) return {};
  try {
    const [code = "", proof] = secrets.open(token, secret).split(" ");
    return { code, ...(proof && { proof }) };
  } catch {
    // The cipher's own words say nothing more.
    throw new StoredMailError("Its code can't be read: the keys of the site are others now.");
  }
}

/** Why a message is sent to nobody: its account or contact message went. The database takes the reference out of the row. */
const GONE: Record<string, string> = {
  userId: "The account that it was for is gone.",
  contactMessageId: "The message that it is about is gone.",
};

function toFault(error: z.ZodError): StoredMailError {
  const names = error.issues.map(({ path }) => String(path[0]));
  const gone = names.find((name) => name in GONE);
  // Names alone: the values are a person's.
  return new StoredMailError(gone ? GONE[gone] : `It is incomplete: ${names.join(", ")}.`);
}

/** Makes the mail that was queued out of its row. @throws StoredMailError */
export function parseStoredMail(row: StoredMail, secrets: MailSecrets): OutgoingMail {
  const kind = MAIL_KINDS.get(row.kind);
  if (!kind) throw new StoredMailError("It is incomplete: kind.");
  const parsed = z.intersection(addressed, kind.values).safeParse({
    ...(typeof row.vars === "object" ? row.vars : undefined),
    recipient: row.recipient,
    language: row.language,
    ...openCode(row, secrets),
    expiresAt: row.expires_at ?? undefined,
    contactMessageId: row.contact_message_id ?? undefined,
    userId: row.user_id ?? undefined,
  });
  if (!parsed.success) throw toFault(parsed.error);
  return { ...parsed.data, kind: kind.name } as OutgoingMail; // the values were parsed with the schema of this kind
}

/** `verp`: each mail comes back to an address of its own, which names it. `sender`: all come back to the sender's plain address. */
export type ReturnPathKind = "verp" | "sender";

/** Which return path the next mail gets. */
export interface ReturnPath {
  choose(): Promise<ReturnPathKind>;
  /** The server took a mail with a path of its own. Never throws: the mail is sent, whatever is remembered. */
  noteTaken(): Promise<void>;
  /** The server refused one with a path of its own and went on with the sender's plain address. Never throws. */
  noteRefused(answer: string): Promise<void>;
}

/** Whose name mails carry, and where what can't be delivered comes back to where each mail has a path of its own. */
export interface Sender {
  from: { name: string; address: string };
  bounces: string;
  /** What the provider has to be sent so that its reports name the message. */
  toProviderHeaders?(reportToken: string): Record<string, string>;
}

/** The return path of one message: a bounce to it names the message, and nobody else knows the token. */
function toReturnPath(bounces: string, token: string): string {
  const at = bounces.lastIndexOf("@");
  return `${bounces.slice(0, at)}+b-${token}${bounces.slice(at)}`;
}

/** Names the message in reports that don't come to its return path: providers hand it on. */
const MESSAGE_ID_HEADER = "X-Foyer-Message-Id";

/** No machine is to answer, and a mail program may offer to stop such mails with one click (RFC 3834, RFC 8058). */
function buildHeaders(
  reportToken: string,
  sender: Sender,
  stopUrl: string | undefined,
): Record<string, string> {
  return {
    [MESSAGE_ID_HEADER]: reportToken,
    ...sender.toProviderHeaders?.(reportToken),
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
    ...(stopUrl && {
      "List-Unsubscribe": `<${stopUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
  };
}

/**
 * The message with its envelope. Addresses are given as objects: a text would be read as a list of them. Every attempt
 * has the same Message-ID and date, and the same return path of its kind.
 */
export function buildMessage(
  row: Pick<LeasedMessage, "report_token" | "message_id" | "created_at" | "recipient">,
  composed: ComposedMail,
  sender: Sender,
  stopUrl: string,
  returnPath: ReturnPathKind,
): SendMailOptions {
  return {
    messageId: row.message_id,
    date: new Date(row.created_at),
    from: sender.from,
    to: { name: "", address: row.recipient },
    ...(composed.replyTo && { replyTo: composed.replyTo }),
    subject: composed.subject,
    text: composed.text,
    html: composed.html,
    headers: buildHeaders(row.report_token, sender, composed.canStop ? stopUrl : undefined),
    envelope: {
      from: returnPath === "sender" ? sender.from.address : toReturnPath(sender.bounces, row.report_token),
      to: [{ name: "", address: row.recipient }],
    },
    dsn: { id: row.report_token, return: "headers", notify: ["failure", "delay"], recipient: row.recipient },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
