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
