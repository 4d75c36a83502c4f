import type { Queryable } from "#server/db/pool.ts";
import { ACTOR_DIGEST, KEEP_ACTOR_DIGEST, KEEP_OBJECT_DIGEST } from "./chain/store.ts";

/** Of entries about somebody the address goes only where nobody was signed in. */
const KEEP_ABOUT = `${KEEP_OBJECT_DIGEST},
  actor_digest = CASE WHEN user_id IS NULL THEN encode(${ACTOR_DIGEST}, 'hex') ELSE actor_digest END,
  actor_salt = CASE WHEN user_id IS NOT NULL THEN actor_salt END`;

/**
 * The account's own entries get its pseudonym for its name and lose the address, those about it also what they show of it, and the
 * address where nobody was signed in: the owner's, who made the account. One update each over the partitions; the last
 * reads all of failed log-ins, which a deletion may take its time for.
 */
export async function blankEntries(
  db: Queryable,
  person: {
    userId: number;
    contentTypeId: number | null;
    names: readonly string[];
    /** As the log has them where such a name was typed and belonged to nobody. */
    domains: readonly string[];
    pseudonym: string;
  },
): Promise<void> {
  const { userId, contentTypeId, names, domains, pseudonym } = person;
  const lower = names.map((name) => name.toLowerCase());
  // Of an address that belonged to nobody yet the log has the domain alone: from where this person logged in, it was theirs.
  await db.query(
    `UPDATE audit_entry SET ${KEEP_ACTOR_DIGEST}, ip_address = NULL
     WHERE user_id IS NULL AND action_type = 'LOGIN' AND lower(username) = ANY($2)
       AND ip_address IN (SELECT ip_address FROM audit_entry WHERE user_id = $1)`,
    [userId, domains.map((name) => name.toLowerCase())],
  );
  await db.query(
    `UPDATE audit_entry SET ${KEEP_ACTOR_DIGEST}, username = $2, ip_address = NULL WHERE user_id = $1`,
    [userId, pseudonym],
  );
  await db.query(
    `UPDATE audit_entry SET ${KEEP_ABOUT}, object_repr = $3, changes = NULL, change_message = '',
       ip_address = CASE WHEN user_id IS NOT NULL THEN ip_address END
     WHERE content_type_id = $1 AND object_id = $2`,
    [contentTypeId, String(userId), pseudonym],
  );
  await db.query(
    `UPDATE audit_entry SET ${KEEP_ACTOR_DIGEST}, username = $2, ip_address = NULL
     WHERE user_id IS NULL AND action_type = 'LOGIN' AND lower(username) = ANY($1)`,
    [lower, pseudonym],
  );
  // The names of an alert's people go with their rows.
  await db.query("UPDATE audit_alert SET ip_address = NULL WHERE $1 IN (user_id, by_id)", [userId]);
}

/** Entries of objects of a model (`app.name`) keep that something was done, and by whom. */
export async function blankObjects(
  db: Queryable,
  modelKey: string,
  objectIds: readonly string[],
): Promise<void> {
  await db.query(
    `UPDATE audit_entry SET ${KEEP_ABOUT}, object_repr = NULL, changes = NULL, change_message = '',
       ip_address = CASE WHEN user_id IS NOT NULL THEN ip_address END
     WHERE content_type_id = (SELECT id FROM content_type WHERE app_label || '.' || model_name = $1)
       AND object_id = ANY($2::text[])`,
    [modelKey, objectIds],
  );
}

/** Entries of a model of which the message holds one of the words. */
export async function blankMessages(
  db: Queryable,
  modelKey: string,
  words: readonly string[],
): Promise<void> {
  await db.query(
    `UPDATE audit_entry SET ${KEEP_OBJECT_DIGEST}, change_message = ''
     WHERE content_type_id = (SELECT id FROM content_type WHERE app_label || '.' || model_name = $1)
       AND EXISTS (SELECT FROM unnest($2::text[]) AS word WHERE position(word in lower(change_message)) > 0)`,
    [modelKey, words],
  );
}
