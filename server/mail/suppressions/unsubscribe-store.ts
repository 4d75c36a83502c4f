import type { Language } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";
import { OPTIONAL_KINDS } from "../kinds.ts";

/** As tokens are written; PostgreSQL has no place for some of what else an address can hold. */
const TOKEN = /^[\da-f]+$/;

/** To whom a message that can be stopped went, by its token; undefined when there is none, or when its person is forgotten. */
export async function selectRecipient(
  db: Queryable,
  token: string,
): Promise<{ recipient: string; language: Language } | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const { rows } = await db.query<{ recipient: string; language: Language }>(
    "SELECT recipient, language FROM mail_message WHERE token = $1 AND recipient <> '' AND kind = ANY($2)",
    [token, OPTIONAL_KINDS],
  );
  return rows[0];
}

/** Whether an address gets no optional mails, for good. Waits for others who ask the same of it in this moment. */
export async function lockStopped(db: Queryable, address: string): Promise<boolean> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('mail stop ' || lower($1), 0))", [address]);
  const { rowCount } = await db.query(
    "SELECT FROM mail_suppression WHERE address = lower($1) AND scope = 'optional' AND expires_at IS NULL",
    [address],
  );
  return rowCount !== 0;
}
