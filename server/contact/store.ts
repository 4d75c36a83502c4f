import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import type { ContactValues } from "#contract/site/contact.ts";
import type { Queryable } from "#server/db/pool.ts";

/** What was stored with a challenge, undefined when nothing was. */
export async function selectByChallenge(
  db: Queryable,
  challengeId: string,
): Promise<ContactValues | undefined> {
  const { rows } = await db.query<ContactValues>(
    "SELECT name, email, subject, message FROM contact_message WHERE challenge_id = $1",
    [challengeId],
  );
  return rows[0];
}

/** Stores a message. @returns its id; undefined when one with this challenge is stored already, whoever was faster. */
export async function insertMessage(
  db: Queryable,
  { name, email, subject, message }: ContactValues,
  { challengeId, isProven, lang }: { challengeId: string; isProven: boolean; lang: Language },
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO contact_message (name, email, subject, message, language, challenge_id, proof)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (challenge_id) DO NOTHING RETURNING id`,
    [name, email, subject, message, lang, challengeId, isProven ? "proven" : "unproven"],
  );
  return rows[0]?.id;
}

/** Who runs the site: the oldest account that may do everything, with the language of its mails. */
export async function selectSuperuser(
  db: Queryable,
): Promise<{ email: string; admin_language: Language | null } | undefined> {
  const { rows } = await db.query<{ email: string; admin_language: Language | null }>(
    `SELECT u.email, u.admin_language FROM account_user u JOIN access_level l ON l.id = u.access_level_id
     WHERE l.level >= $1 AND u.is_active ORDER BY u.created_at, u.id LIMIT 1`,
    [ACCESS_LEVEL.superuser],
  );
  return rows[0];
}
