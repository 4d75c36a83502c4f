import { type MailDashboardAnswer, type MailSeriesAnswer, RECENT_MAX } from "#contract/mail/statistics.ts";
import type { Queryable } from "../db/pool.ts";
import { TRIAL_KINDS } from "./kinds.ts";

/** Mails by what became of them. */
export interface MailCounts {
  /** Handed over: taken by the other server, or refused because of the address. */
  sent: number;
  delivered: number;
  bounced: number;
  complained: number;
  /** Refused by our own mail server. */
  rejected: number;
  open: number;
}

/**
 * One row a mail: the day is the UTC day of its hand-over, the state what is known now. A complaint is of a mail that arrived.
 * What never left (failed, suppressed, expired) was not handed over; of trials (`isTrial`) no hand-over is kept.
 */
const COUNTS = `count(*) FILTER (WHERE m.delivery_state <> 'rejected')::integer AS sent,
  count(*) FILTER (WHERE m.delivery_state IN ('delivered', 'complained'))::integer AS delivered,
  count(*) FILTER (WHERE m.delivery_state = 'bounced')::integer AS bounced,
  count(*) FILTER (WHERE m.delivery_state = 'complained')::integer AS complained,
  count(*) FILTER (WHERE m.delivery_state = 'rejected')::integer AS rejected,
  count(*) FILTER (WHERE m.delivery_state IN ('sent', 'delayed'))::integer AS open`;
/** Returned for good, without those that the provider refused because its own list names them. A mail has one bounce at most. */
const HARD = `count(b.id) FILTER (WHERE m.delivery_state = 'bounced' AND b.bounce_type = 'Permanent'
    AND b.bounce_subtype <> 'OnAccountSuppressionList')::integer`;
const WITH_BOUNCE = "LEFT JOIN mail_bounce b ON b.message_id = m.id";
const HANDED_OVER = `m.handed_over_at >= $1
  AND m.delivery_state IN ('sent', 'delayed', 'delivered', 'bounced', 'complained', 'rejected')`;

export async function selectTotals(db: Queryable, start: Date): Promise<MailCounts & { hard: number }> {
  const { rows } = await db.query<MailCounts & { hard: number }>(
    `SELECT ${COUNTS}, ${HARD} AS hard FROM mail_message m ${WITH_BOUNCE} WHERE ${HANDED_OVER}`,
    [start],
  );
  const [row] = rows;
  if (!row) throw new Error("a count has no row");
  return row;
}

/** Every UTC day from `start` to `end`, those without mails too. */
export async function selectDays(db: Queryable, start: Date, end: Date): Promise<MailSeriesAnswer["days"]> {
  const { rows } = await db.query<MailSeriesAnswer["days"][number]>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS date, ${COUNTS}, ${HARD} AS hard_bounced
     FROM generate_series($1::timestamptz AT TIME ZONE 'UTC', $2::timestamptz AT TIME ZONE 'UTC', interval '1 day') AS day
       LEFT JOIN mail_message m ON date_trunc('day', m.handed_over_at AT TIME ZONE 'UTC') = day AND ${HANDED_OVER}
       ${WITH_BOUNCE}
     GROUP BY day ORDER BY day`,
    [start, end],
  );
  return rows;
}

const DOMAINS_MAX = 10;

export async function selectDomains(db: Queryable, start: Date): Promise<MailSeriesAnswer["domains"]> {
  const { rows } = await db.query<MailSeriesAnswer["domains"][number]>(
    `SELECT split_part(m.recipient_key, '@', -1) AS domain, ${COUNTS}, ${HARD} AS hard_bounced
     FROM mail_message m ${WITH_BOUNCE} WHERE ${HANDED_OVER} AND m.recipient_key <> ''
     GROUP BY domain ORDER BY sent DESC, domain LIMIT ${DOMAINS_MAX}`,
    [start],
  );
  return rows;
}

const toIso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** When a mail got its state: what its bounce or complaint says, or its own columns, or the event that decided. */
const CHANGED_AT = `coalesce(
    CASE mail.delivery_state WHEN 'pending' THEN mail.created_at WHEN 'sent' THEN mail.sent_at
      WHEN 'delivered' THEN mail.delivered_at WHEN 'bounced' THEN bounce.bounced_at
      WHEN 'complained' THEN complaint.complained_at END,
    decisive.at, mail.updated_at)`;

/** Newest first. Six states are documented; what stopped a mail is said in the reason. `words`: what a state is called. */
export async function selectDeliveries(
  db: Queryable,
  words: Readonly<Record<string, string>>,
): Promise<MailDashboardAnswer["recent_activity"]["deliveries"]> {
  const { rows } = await db.query<MailDashboardAnswer["recent_activity"]["deliveries"][number]>(
    `SELECT mail.id, mail.recipient AS email,
       CASE WHEN mail.delivery_state IN ('suppressed', 'expired', 'rejected', 'failed') THEN 'failed'
            WHEN mail.delivery_state = 'held' THEN 'pending' WHEN mail.delivery_state = 'delayed' THEN 'sent'
            ELSE mail.delivery_state END AS status,
       ${toIso(CHANGED_AT)} AS timestamp, ${toIso("mail.sent_at")} AS sent_at, ${toIso("mail.delivered_at")} AS delivered_at,
       CASE WHEN mail.delivery_state IN ('sent', 'delivered', 'complained', 'pending', 'held') THEN NULL
            ELSE coalesce(mail.failure_reason, mail.response, $2::jsonb ->> mail.delivery_state) END AS failure_reason
     FROM (SELECT id, recipient, delivery_state, created_at, updated_at, sent_at, delivered_at, failure_reason, response
           FROM mail_message WHERE NOT kind = ANY($1::text[]) ORDER BY created_at DESC, id DESC LIMIT ${RECENT_MAX}) AS mail
       LEFT JOIN mail_bounce AS bounce ON bounce.message_id = mail.id
       LEFT JOIN mail_complaint AS complaint ON complaint.message_id = mail.id
       LEFT JOIN LATERAL (
         SELECT max(greatest(mail.created_at, least(occurred_at, created_at))) AS at FROM mail_event
         WHERE message_id = mail.id AND kind = mail.delivery_state AND superseded_at IS NULL
       ) AS decisive ON true
     ORDER BY mail.created_at DESC, mail.id DESC`,
    [TRIAL_KINDS, JSON.stringify(words)],
  );
  return rows;
}

export async function selectRecentBounces(
  db: Queryable,
): Promise<MailDashboardAnswer["recent_activity"]["bounces"]> {
  const { rows } = await db.query<MailDashboardAnswer["recent_activity"]["bounces"][number]>(
    `SELECT email_address AS email, bounce_type AS type, bounce_subtype AS subtype, ${toIso("bounced_at")} AS bounced_at,
       is_processed
     FROM mail_bounce WHERE unsubscribed_by IS DISTINCT FROM 'staff'
     ORDER BY bounced_at DESC, id DESC LIMIT ${RECENT_MAX}`,
  );
  return rows;
}

export async function selectRecentComplaints(
  db: Queryable,
): Promise<MailDashboardAnswer["recent_activity"]["complaints"]> {
  const { rows } = await db.query<MailDashboardAnswer["recent_activity"]["complaints"][number]>(
    `SELECT email_address AS email, feedback_type AS type, ${toIso("complained_at")} AS complained_at, is_processed
     FROM mail_complaint WHERE unsubscribed_by IS DISTINCT FROM 'staff'
     ORDER BY complained_at DESC, id DESC LIMIT ${RECENT_MAX}`,
  );
  return rows;
}
