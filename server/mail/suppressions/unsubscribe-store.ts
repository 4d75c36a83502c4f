import type { Language } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Queryable } from "../../db/pool.ts";
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
/** Of the way out itself: the link in a mail was used. Once a mail. */
export async function insertUnsubscribed(db: Queryable, token: string, now: Date): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO mail_event (created_at, occurred_at, message_id, kind, source, event_key, recipient, recipient_key, parser_version)
     SELECT $2, $2, id, 'unsubscribed', 'outbox', id || ' unsubscribed', recipient, recipient_key, 0
     FROM mail_message WHERE token = $1
     ON CONFLICT DO NOTHING RETURNING id`,
    [token, now],
  );
  return rows[0]?.id ?? null;
}
