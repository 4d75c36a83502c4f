import type { Queryable } from "#server/db/pool.ts";
import { forgottenKeySql, stopKeysSql } from "./secrets.ts";

/** Whose trace is taken out of suppressions and reports. */
export interface Forgotten {
  /** Keys of addresses that were the person's own. */
  keys: readonly string[];
  /** Mails that were the person's, taken out already. */
  messageIds: readonly number[];
  /** Of `MailSecrets`. */
  addressSecrets: readonly Buffer[];
}

/**
 * Suppressions of the addresses, and those that a mail to the person brought about: of an address that was never proven, for as
 * long as no mail of anybody else's went there.
 */
const MEANT = `address = ANY($1::text[]) OR (
  (source_event_id IN (SELECT id FROM mail_event WHERE message_id = ANY($2::integer[]))
   OR id IN (SELECT suppression_id FROM mail_bounce WHERE message_id = ANY($2::integer[]))
   OR id IN (SELECT suppression_id FROM mail_complaint WHERE message_id = ANY($2::integer[])))
  AND NOT EXISTS (SELECT FROM mail_message WHERE recipient_key = address))`;

/** Words in which an address may stand are cut: a code stays, which is what bounces begin with. */
const toCode = (text: string) => `coalesce(substring(${text} from '^\\d\\.\\d{1,3}\\.\\d{1,3}'), '')`;

const toState = (column: string) =>
  `${column} || jsonb_build_object('reason', ${toCode(`${column}->>'reason'`)})`;

/**
 * Suppressions stay, and stop mail as before: the address becomes a hash, and so it does in what can be undone.
 * @returns numbers that the suppressions have or had, for the log.
 */
export async function hashSuppressions(
  db: Queryable,
  { keys, messageIds, addressSecrets }: Forgotten,
): Promise<number[]> {
  const { rows } = await db.query<{ address: string }>(
    `SELECT DISTINCT address FROM mail_suppression WHERE ${MEANT} AND position('@' in address) > 0`,
    [keys, messageIds],
  );
  const addresses = [...new Set([...keys, ...rows.map(({ address }) => address)])];
  const changes = await db.query<{ id: number | null }>(
    `UPDATE mail_suppression_change SET address = ${forgottenKeySql("address", "$2")},
       before = ${toState("before")}, after = ${toState("after")}
     WHERE address = ANY($1::text[]) RETURNING (coalesce(before, after)->>'object_id')::integer AS id`,
    [addresses, addressSecrets],
  );
  // Under two texts an address can only have been stopped by hand, in the database: then the older row goes on.
  const doubles = await db.query<{ id: number }>(
    `DELETE FROM mail_suppression AS plain WHERE address = ANY($1::text[]) AND EXISTS (
       SELECT FROM mail_suppression AS hashed WHERE hashed.scope = plain.scope AND hashed.id <> plain.id
         AND hashed.address = ANY(${stopKeysSql("plain.address", "$2")}))
     RETURNING id`,
    [addresses, addressSecrets],
  );
  const hashed = await db.query<{ id: number }>(
    `UPDATE mail_suppression SET address = ${forgottenKeySql("address", "$2")}, reason = ${toCode("reason")}
     WHERE address = ANY($1::text[]) RETURNING id`,
    [addresses, addressSecrets],
  );
  const ids = [...changes.rows, ...doubles.rows, ...hashed.rows].flatMap(({ id }) => id ?? []);
  return [...new Set(ids)];
}

/**
 * Reports about the addresses that belong to no mail of ours, or that nobody could read, lose what they say. Those of the
 * person's mails have lost it already. `words`: all spellings that are known, in lower case.
 */
export async function blankStrayReports(
  db: Queryable,
  { keys, words }: { keys: readonly string[]; words: readonly string[] },
): Promise<void> {
  if (keys.length === 0) return;
  await db.query(
    `WITH stray AS (
       UPDATE mail_event SET recipient = '', recipient_key = 'forgotten ' || id, diagnostic = NULL
       WHERE message_id IS NULL AND recipient_key = ANY($1::text[]) RETURNING report_id
     )
     UPDATE mail_report SET content = 'null', state = 'read', error = NULL
     WHERE id IN (SELECT report_id FROM stray)
       OR (state <> 'read' AND EXISTS (SELECT FROM unnest($2::text[]) AS word WHERE position(word in lower(content::text)) > 0))`,
    [keys, words],
  );
}

/** Staff may have typed the addresses anywhere: in a reason for another address, or in a note. The rest of the text stays. */
export async function cutFromTexts(db: Queryable, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  const pattern = words.map((word) => word.replaceAll(/[^\p{L}\p{N}@]/gu, "\\$&")).join("|");
  const cut = (text: string) => `regexp_replace(${text}, $1, '…', 'gi')`;
  for (const [table, column] of [
    ["mail_suppression", "reason"],
    ["mail_bounce", "note"],
    ["mail_complaint", "note"],
  ] as const) {
    await db.query(`UPDATE ${table} SET ${column} = ${cut(column)} WHERE ${column} ~* $1`, [pattern]);
  }
  const cutState = (column: string) =>
    `${column} || jsonb_build_object('reason', ${cut(`${column}->>'reason'`)})`;
  await db.query(
    `UPDATE mail_suppression_change SET before = ${cutState("before")}, after = ${cutState("after")}
     WHERE before->>'reason' ~* $1 OR after->>'reason' ~* $1`,
    [pattern],
  );
}

/** Numbers of the bounces and complaints of mails, for the log. */
export async function selectTriageIds(
  db: Queryable,
  table: "mail_bounce" | "mail_complaint",
  messageIds: readonly number[],
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT id FROM ${table} WHERE message_id = ANY($1::integer[])`,
    [messageIds],
  );
  return rows.map(({ id }) => id);
}
