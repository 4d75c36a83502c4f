import type { ContactValues } from "#contract/contact.ts";
import type { Language } from "#contract/languages.ts";
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

/** Stores a message. @returns false when one with this challenge is stored already, whoever was faster. */
export async function insertMessage(
  db: Queryable,
  { name, email, subject, message }: ContactValues,
  { challengeId, lang }: { challengeId: string; lang: Language },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO contact_message (name, email, subject, message, language, challenge_id)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (challenge_id) DO NOTHING`,
    [name, email, subject, message, lang, challengeId],
  );
  return rowCount === 1;
}
