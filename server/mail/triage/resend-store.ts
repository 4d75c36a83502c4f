import type { Queryable } from "../../db/pool.ts";
import { OPTIONAL_KINDS } from "../kinds.ts";
import type { StoredMail } from "../outbox/message.ts";
import { stopKeysSql } from "../secrets.ts";
import type { Lifted } from "../suppressions/suppressions.ts";

/** A mail that may be sent again. */
export interface PastMail extends StoredMail {
  id: number;
  recipient_key: string;
  status: string;
  delivery_state: string;
  /** Of its person's account by now; null: there is none. */
  account_email: string | null;
  is_sent_again: boolean;
  /** Why mail of its kind to its address is stopped; null: nothing stops it. */
  stop_reason: string | null;
}

/** `$1`: now, `$2`: optional kinds, `$3`: secrets. Of two suppressions the one of all mail speaks. */
const COLUMNS = `m.id, m.token, m.secret, m.kind, m.recipient, m.recipient_key, m.language, m.vars, m.expires_at, m.contact_message_id,
  m.user_id, m.status, m.delivery_state,
  (SELECT email FROM account_user WHERE id = m.user_id) AS account_email,
  EXISTS (SELECT FROM mail_message AS again WHERE again.dedupe_key = 'again ' || m.id) AS is_sent_again,
  (SELECT stop.reason FROM mail_suppression AS stop
   WHERE stop.address = ANY(${stopKeysSql("m.recipient_key", "$3")}) AND (stop.expires_at IS NULL OR stop.expires_at > $1)
     AND (stop.scope = 'all' OR m.kind = ANY($2::text[]))
   ORDER BY stop.scope LIMIT 1) AS stop_reason`;

/** In the order of their numbers: two calls for the same mails never wait for each other. */
export async function lockPastMails(
  db: Queryable,
  ids: readonly number[],
  { now, addressSecrets }: { now: Date; addressSecrets: readonly Buffer[] },
): Promise<PastMail[]> {
  const { rows } = await db.query<PastMail>(
    `SELECT ${COLUMNS} FROM mail_message AS m WHERE m.id = ANY($4::integer[]) ORDER BY m.id FOR UPDATE OF m`,
    [now, OPTIONAL_KINDS, addressSecrets, ids],
  );
  return rows;
}

/** Mails that were held back while the suppressions stood, the newest first. */
export async function selectStoppedBy(
  db: Queryable,
  lifted: readonly Lifted[],
  { now, addressSecrets, limit }: { now: Date; addressSecrets: readonly Buffer[]; limit: number },
): Promise<PastMail[]> {
  const { rows } = await db.query<PastMail>(
    `SELECT ${COLUMNS} FROM mail_message AS m
     WHERE m.status = 'suppressed' AND m.delivery_state = 'suppressed' AND m.recipient_key <> '' AND m.id IN (
       SELECT held.id FROM jsonb_to_recordset($4::jsonb) AS lifted(address text, scope text, since timestamptz)
       JOIN mail_message AS held ON held.recipient_key = lifted.address AND held.updated_at >= lifted.since
         AND (lifted.scope = 'all' OR held.kind = ANY($2::text[])))
     ORDER BY m.id DESC LIMIT $5`,
    [now, OPTIONAL_KINDS, addressSecrets, JSON.stringify(lifted), limit],
  );
  return rows;
}
