import type { Queryable } from "#server/db/pool.ts";
import type { CodeSubject } from "./codes.ts";

export interface CodeRow {
  id: number;
  user_id: number | null;
  code_hash: string | null;
  tries: number;
  sent_at: string;
  expires_at: string;
}

/** One at a time decides about an address: who claims it, who proves it, what it is sent. Until the transaction ends. */
export async function lockAddress(db: Queryable, email: string): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`account ${email}`]);
}

/** The live code; nobody else changes it before the transaction ends. */
export async function lockCode(db: Queryable, subject: CodeSubject): Promise<CodeRow | undefined> {
  const { rows } = await db.query<CodeRow>(
    `SELECT id, user_id, code_hash, tries, sent_at, expires_at FROM account_code
     WHERE purpose = $1 AND email = $2 FOR UPDATE`,
    [subject.purpose, subject.email],
  );
  return rows[0];
}

/** Replaces the code of an address. Moments are ISO text. */
export async function putCode(
  db: Queryable,
  subject: CodeSubject,
  code: { userId: number | null; hash: string | null; sentAt: string; expiresAt: string },
): Promise<void> {
  await db.query(
    `INSERT INTO account_code (purpose, email, user_id, code_hash, tries, sent_at, expires_at)
     VALUES ($1, $2, $3, $4, 0, $5, $6)
     ON CONFLICT (purpose, email) DO UPDATE SET user_id = excluded.user_id, code_hash = excluded.code_hash,
       tries = 0, sent_at = excluded.sent_at, expires_at = excluded.expires_at`,
    [subject.purpose, subject.email, code.userId, code.hash, code.sentAt, code.expiresAt],
  );
}

export async function countTry(db: Queryable, id: number): Promise<void> {
  await db.query("UPDATE account_code SET tries = tries + 1 WHERE id = $1", [id]);
}

/** No code of the address is good any more; the row stays, because it says when the last mail was sent. */
export async function spendCode(db: Queryable, id: number): Promise<void> {
  await db.query("UPDATE account_code SET code_hash = NULL, user_id = NULL WHERE id = $1", [id]);
}
