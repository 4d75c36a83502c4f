import type { Queryable } from "#server/db/pool.ts";
import { TRIAL_KINDS } from "../kinds.ts";
import type { Fate, Verdict } from "./fate.ts";

/** The mail that a report is about; locked, so that two reports of it are read one after the other. */
export interface LockedMail {
  id: number;
  kind: string;
  recipient: string;
  recipient_key: string;
  contact_message_id: number | null;
  created_at: string;
}

export async function lockMail(db: Queryable, id: number): Promise<LockedMail | undefined> {
  const { rows } = await db.query<LockedMail>(
    `SELECT id, kind, recipient, recipient_key, contact_message_id, created_at FROM mail_message WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
}

/** What became of it; where events say nothing, the outbox's word stays. */
export async function updateFate(db: Queryable, id: number, fate: Fate, now: Date): Promise<void> {
  await db.query(
    `UPDATE mail_message SET delivery_state = coalesce($2, delivery_state), delivered_at = $3,
       failure_reason = CASE WHEN recipient = '' THEN NULL WHEN $2::text IS NULL THEN failure_reason ELSE $4::text END,
       handed_over_at = CASE WHEN $2::text IS NULL OR $2 = 'failed' OR kind = ANY($6::text[]) THEN handed_over_at
                             ELSE coalesce(handed_over_at, $5) END,
       updated_at = $5
     WHERE id = $1`,
    [id, fate.state, fate.deliveredAt, fate.failureReason, now, TRIAL_KINDS],
  );
}

/** A bounce's or a complaint's row, as the rules of suppression look at it. */
export interface TriageRow {
  id: number;
  /** What the rules said before; null: it is new. */
  before: Verdict | null;
  verdict: Verdict;
  isProcessed: boolean;
}

type Named = "mail_bounce" | "mail_complaint";

async function put(
  db: Queryable,
  table: Named,
  mail: LockedMail,
  values: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<TriageRow> {
  const columns = Object.keys(values);
  const given = columns.map((_, index) => `$${index + 6}`);
  const { rows } = await db.query<TriageRow>(
    `WITH old AS (SELECT verdict FROM ${table} WHERE message_id = $1)
     INSERT INTO ${table} (message_id, email_address, contact_message_id, mail_kind, created_at, updated_at, ${columns.join(", ")})
     VALUES ($1, $2, $3, $4, $5, $5, ${given.join(", ")})
     ON CONFLICT (message_id) DO UPDATE SET updated_at = $5, ${columns.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}
     RETURNING id, (SELECT verdict FROM old) AS before, verdict, is_processed AS "isProcessed"`,
    [mail.id, mail.recipient, mail.contact_message_id, mail.kind, now, ...Object.values(values)],
  );
  const [row] = rows;
  if (!row) throw new Error(`a row of ${table} was written and is not there`);
  return row;
}

/** The moment to show: the source's, as far as it can be true. */
function toMoment(reported: string | null, recorded: string, mail: LockedMail): string {
  const at = Date.parse(reported ?? recorded);
  const [first, last] = [Date.parse(mail.created_at), Date.parse(recorded)];
  return new Date(Math.max(first, Math.min(at, last))).toISOString();
}

export function putBounce(
  db: Queryable,
  mail: LockedMail,
  bounce: NonNullable<Fate["bounce"]>,
  now: Date,
): Promise<TriageRow> {
  const isPermanent = bounce.bounce_type === "Permanent";
  const values = {
    bounce_type: isPermanent ? "Permanent" : "Transient",
    bounce_subtype: bounce.bounce_subtype ?? "Undetermined",
    status_code: bounce.status_code,
    diagnostic_code: bounce.diagnostic,
    bounced_at: toMoment(bounce.occurred_at, bounce.created_at, mail),
    feedback_id: bounce.feedback_id,
    source: bounce.source,
    verdict: bounce.verdict,
  };
  return put(db, "mail_bounce", mail, values, now);
}

/** Reports know more types than the specification: a complaint without one is of unwanted mail, what else there is is `other`. */
function toFeedbackType(raw: string | null): string {
  if (raw === null) return "abuse";
  return ["abuse", "fraud", "not-spam"].includes(raw) ? raw : "other";
}

export function putComplaint(
  db: Queryable,
  mail: LockedMail,
  complaint: NonNullable<Fate["complaint"]>,
  now: Date,
): Promise<TriageRow> {
  const values = {
    feedback_type: toFeedbackType(complaint.feedback_type),
    raw_feedback_type: complaint.feedback_type,
    user_agent: complaint.user_agent,
    complained_at: toMoment(complaint.occurred_at, complaint.created_at, mail),
    feedback_id: complaint.feedback_id,
    source: complaint.source,
    verdict: complaint.verdict,
  };
  return put(db, "mail_complaint", mail, values, now);
}

/** A later reading says that the mail didn't come back: an untouched row goes, one that staff worked on stays as it is. */
export async function dropUntouched(db: Queryable, table: Named, messageId: number): Promise<void> {
  await db.query(
    `DELETE FROM ${table} WHERE message_id = $1 AND NOT is_processed AND owner_id IS NULL AND note IS NULL
       AND unsubscribed_by IS NULL`,
    [messageId],
  );
}

/**
 * Why mails to the address came back for the moment, since the last one that arrived, within `days`. `isAccepted`: nobody
 * reports mails that arrived, so taken by the next server counts as such; not of a mail that is younger than all that came
 * back, for it may come back yet.
 */
export async function selectTransient(
  db: Queryable,
  recipientKey: string,
  { days, now, isAccepted }: { days: number; now: Date; isAccepted: boolean },
): Promise<{ status_code: string | null; diagnostic: string | null }[]> {
  const { rows } = await db.query<{ status_code: string | null; diagnostic: string | null }>(
    `WITH returned AS (
       SELECT m.created_at, b.status_code, b.diagnostic_code FROM mail_message m JOIN mail_bounce b ON b.message_id = m.id
       WHERE m.recipient_key = $1 AND b.bounce_type = 'Transient' AND m.created_at > $2::timestamptz - $3 * interval '1 day'
     )
     SELECT status_code, diagnostic_code AS diagnostic FROM returned
     WHERE created_at > coalesce((
       SELECT max(created_at) FROM mail_message WHERE recipient_key = $1 AND (delivery_state IN ('delivered', 'complained')
         OR ($4 AND delivery_state IN ('sent', 'delayed') AND created_at < (SELECT max(created_at) FROM returned)))
     ), '-infinity')`,
    [recipientKey, now, days, isAccepted],
  );
  return rows;
}

export async function markSuppressed(
  db: Queryable,
  table: Named,
  id: number,
  suppressionId: number,
): Promise<void> {
  await db.query(
    `UPDATE ${table} SET suppression_id = $2, unsubscribed_by = coalesce(unsubscribed_by, 'server') WHERE id = $1`,
    [id, suppressionId],
  );
}

/**
 * A later reading takes back for what the server stopped mails, and they are still stopped: staff are asked whether to lift it.
 * Not where another row's verdict holds the same suppression; one that ends by itself was made by counting.
 */
export async function askOfOutlived(db: Queryable, table: Named, messageId: number): Promise<void> {
  const holds = (other: Named) =>
    `EXISTS (SELECT FROM ${other} AS o WHERE o.suppression_id = s.id AND o.verdict IN ('all', 'optional')
       AND NOT (o.message_id = t.message_id AND '${other}' = '${table}'))`;
  await db.query(
    `UPDATE ${table} AS t SET verdict = 'ask' FROM mail_suppression AS s
     WHERE t.message_id = $1 AND t.unsubscribed_by = 'server' AND s.id = t.suppression_id AND s.expires_at IS NULL
       AND s.source = '${table === "mail_bounce" ? "bounce" : "complaint"}'
       AND NOT ${holds("mail_bounce")} AND NOT ${holds("mail_complaint")}`,
    [messageId],
  );
}

/** Staff are to look: the server would stop mails to the owner or to staff, or isn't sure. */
export async function markAsked(db: Queryable, table: Named, id: number): Promise<void> {
  await db.query(`UPDATE ${table} SET verdict = 'ask' WHERE id = $1`, [id]);
}
