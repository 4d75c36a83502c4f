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
}

export async function listMailsTo(db: Queryable, userId: number): Promise<ExportedMail[]> {
  const { rows } = await db.query<ExportedMail>(
    `SELECT kind, recipient, created_at, sent_at, delivery_state, delivered_at FROM mail_message
     WHERE user_id = $1 ORDER BY created_at DESC, id DESC`,
    [userId],
  );
  return rows;
}
