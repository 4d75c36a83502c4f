import type { Queryable } from "#server/db/pool.ts";

/** When the account was signed in to; null: never, or it is gone. */
export async function findLastLogin(db: Queryable, userId: number): Promise<string | null> {
  const { rows } = await db.query<{ last_login_at: string | null }>(
    "SELECT last_login_at FROM account_user WHERE id = $1",
    [userId],
  );
  return rows[0]?.last_login_at ?? null;
}

/** A session as its person may know it: nothing of its token. */
export interface ExportedSession {
  created_at: string;
  last_used_at: string;
  expires_at: string;
  ended_at: string | null;
  end_reason: string | null;
  ip_address: string | null;
  user_agent: string | null;
}

export async function listSessionsOf(db: Queryable, userId: number): Promise<ExportedSession[]> {
  const { rows } = await db.query<ExportedSession>(
    `SELECT created_at, last_used_at, expires_at, ended_at, end_reason, ip_address, user_agent
     FROM account_session WHERE user_id = $1 ORDER BY created_at DESC, id`,
    [userId],
  );
  return rows;
}

/** A mail that was written to a person. */
export interface ExportedMail {
  kind: string;
  recipient: string;
  created_at: string;
  sent_at: string | null;
  /** What became of it, as far as other servers reported. */
  delivery_state: string;
  delivered_at: string | null;
  /** What the server said that did not take it. */
  failure_reason: string | null;
  returned: { type: string; subtype: string; status_code: string | null; at: string } | null;
  complaint: { type: string; at: string } | null;
}

export async function listMailsTo(db: Queryable, userId: number): Promise<ExportedMail[]> {
  const { rows } = await db.query<ExportedMail>(
    `SELECT kind, recipient, m.created_at, sent_at, delivery_state, delivered_at, failure_reason,
       CASE WHEN b.id IS NOT NULL THEN jsonb_build_object('type', bounce_type, 'subtype', bounce_subtype, 'status_code', status_code,
         'at', bounced_at) END AS returned,
       CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('type', feedback_type, 'at', complained_at) END AS complaint
     FROM mail_message AS m LEFT JOIN mail_bounce AS b ON b.message_id = m.id LEFT JOIN mail_complaint AS c ON c.message_id = m.id
     WHERE user_id = $1 ORDER BY m.created_at DESC, m.id DESC`,
    [userId],
  );
  return rows;
}
