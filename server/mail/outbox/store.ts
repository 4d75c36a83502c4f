import type { Language } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { MailName } from "../kind.ts";
import { TRIAL_KINDS } from "../kinds.ts";
import { toAddressKey } from "../secrets.ts";

/** A message as it enters the outbox. */
export interface NewMessage {
  token: string;
  reportToken: string;
  messageId: string;
  kind: MailName;
  recipient: string;
  language: Language;
  vars: Record<string, string>;
  secret: string | null;
  dedupeKey: string | null;
  expiresAt: string | null;
  contactMessageId: number | null;
  userId: number | null;
  requestId: string | null;
}

/** @returns the row's id; undefined when a message with its dedupe key is there already. */
export async function insertMessage(
  db: Queryable,
  message: NewMessage,
  now: Date,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `WITH message AS (
       INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, secret,
                                 dedupe_key, expires_at, contact_message_id, user_id, request_id, created_at, updated_at,
                                 next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $15, $14, $14, $14)
       ON CONFLICT (dedupe_key) DO NOTHING RETURNING id
     ), event AS (
       INSERT INTO mail_event (created_at, occurred_at, message_id, kind, source, event_key, recipient, recipient_key,
                               parser_version)
       SELECT $14, $14, id, 'queued', 'outbox', id || ' queued', $5, $6, 0 FROM message
     )
     SELECT id FROM message`,
    [
      message.token,
      message.reportToken,
      message.messageId,
      message.kind,
      message.recipient,
      toAddressKey(message.recipient),
      message.language,
      JSON.stringify(message.vars),
      message.secret,
      message.dedupeKey,
      message.expiresAt,
      message.contactMessageId,
      message.userId,
      now,
      message.requestId,
    ],
  );
  return rows[0]?.id;
}

/**
 * Codes of this kind that still wait for this address are not to be sent any more: the newer one is the one that counts.
 * One that is being sent at this moment is not tried again.
 */
export async function expireOlderCodes(
  db: Queryable,
  { kind, recipient }: Pick<NewMessage, "kind" | "recipient">,
  now: Date,
): Promise<void> {
  await db.query(
    `UPDATE mail_message SET status = CASE status WHEN 'pending' THEN 'expired' ELSE status END, expires_at = $3,
       delivery_state = CASE WHEN status = 'pending' AND delivery_state = 'pending' THEN 'expired' ELSE delivery_state END,
       secret = NULL, response = 'Replaced by a newer code.', updated_at = $3
     WHERE status IN ('pending', 'sending') AND kind = $1 AND recipient_key = $2`,
    [kind, toAddressKey(recipient), now],
  );
}

/** Codes of mails that wait, as they were sealed, and the tokens they were sealed with. */
export async function selectSealed(db: Queryable): Promise<{ token: string; secret: string }[]> {
  const { rows } = await db.query<{ token: string; secret: string }>(
    "SELECT token, secret FROM mail_message WHERE status IN ('pending', 'sending', 'held') AND secret IS NOT NULL LIMIT 1000",
  );
  return rows;
}

/** How a message stands. */
export interface MessageState {
  status: string;
  response: string | null;
}

export async function selectState(db: Queryable, id: number): Promise<MessageState | undefined> {
  const { rows } = await db.query<MessageState>("SELECT status, response FROM mail_message WHERE id = $1", [
    id,
  ]);
  return rows[0];
}

/**
 * Takes a person out of their messages and of what is known about these; the rows stay. What waits is not sent any more, and what
 * is being sent at this moment is not tried again: its address is gone. Answers of other servers go too, because they repeat
 * addresses, and so do the reports.
 * @returns the messages' numbers.
 */
export async function blankMessagesOf(
  db: Queryable,
  { userId, addresses }: { userId: number; addresses: readonly string[] },
  now: Date,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `UPDATE mail_message SET recipient = '', recipient_key = '', vars = '{}', secret = NULL, user_id = NULL, updated_at = $2,
       request_id = NULL, failure_reason = NULL,
       delivery_state = CASE WHEN status IN ('pending', 'held') AND delivery_state IN ('pending', 'held') THEN 'failed'
                             ELSE delivery_state END,
       status = CASE WHEN status IN ('pending', 'held') THEN 'failed' ELSE status END,
       response = CASE WHEN status IN ('pending', 'held') THEN 'The account was deleted before this was sent.' END
     WHERE user_id = $1 OR (user_id IS NULL AND recipient_key = ANY($3::text[])) RETURNING id`,
    [userId, now, addresses.map(toAddressKey)],
  );
  const ids = rows.map(({ id }) => id);
  await blankEventsOf(db, ids);
  return ids;
}

/** Events keep what happened, without an address; unique ones stay unique. */
async function blankEventsOf(db: Queryable, messageIds: readonly number[]): Promise<void> {
  await db.query(
    `WITH blank AS (
       UPDATE mail_event SET recipient = '', recipient_key = 'forgotten ' || id, diagnostic = NULL
       WHERE message_id = ANY($1::integer[]) RETURNING report_id
     ), bounce AS (
       UPDATE mail_bounce SET email_address = '', diagnostic_code = NULL, note = NULL WHERE message_id = ANY($1::integer[])
     ), complaint AS (
       UPDATE mail_complaint SET email_address = '', note = NULL WHERE message_id = ANY($1::integer[])
     )
     UPDATE mail_report SET content = 'null', state = 'read' WHERE id IN (SELECT report_id FROM blank)`,
    [messageIds],
  );
}

/** Messages whose person was taken out. */
export async function selectForgotten(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>("SELECT id FROM mail_message WHERE recipient_key = ''");
  return rows.map(({ id }) => id);
}

/** @returns how many rows went. */
export async function deleteMessagesBefore(db: Queryable, before: Date): Promise<number> {
  const { rowCount } = await db.query("DELETE FROM mail_message WHERE created_at < $1", [before]);
  return rowCount ?? 0;
}

/** What waits in the outbox. */
export interface OutboxState {
  /** Mails that are neither sent nor given up. */
  pending: number;
  /** How long the oldest one that is due has waited, in seconds; null: none is due. */
  oldest_s: number | null;
  /** Given up in the last day. */
  failed: number;
  /** Waiting since a restore for the owner's word; null: nothing was restored, or it was given. */
  restored: number | null;
}

export async function selectOutboxState(db: Queryable, now: Date): Promise<OutboxState> {
  const { rows } = await db.query<OutboxState>(
    `SELECT count(*) FILTER (WHERE status IN ('pending', 'sending'))::integer AS pending,
       (extract(epoch FROM $1::timestamptz - min(next_attempt_at)
         FILTER (WHERE status IN ('pending', 'sending') AND next_attempt_at <= $1)))::float8 AS oldest_s,
       count(*) FILTER (WHERE status = 'failed' AND updated_at > $1::timestamptz - interval '1 day'
         AND NOT kind = ANY($2::text[]))::integer AS failed,
       CASE WHEN EXISTS (SELECT FROM mail_alarm WHERE kind = 'restore' AND released_at IS NULL)
         THEN (SELECT count(*)::integer FROM mail_message WHERE status = 'held') END AS restored
     FROM mail_message
     WHERE status IN ('pending', 'sending') OR (status = 'failed' AND created_at > $1::timestamptz - interval '6 days')`,
    [now.toISOString(), TRIAL_KINDS],
  );
  return rows[0] ?? { pending: 0, oldest_s: null, failed: 0, restored: null };
}
