import type { Queryable } from "#server/db/pool.ts";

/*
 * The site's role may change no entry: the functions are of the log's owner (migration 0036), and keep the digest of what they take.
 */

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
  },
): Promise<void> {
  const { userId, contentTypeId, names, domains } = person;
  const toLower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase());
  await db.query("SELECT foyer_log_forget_person($1, $2, $3, $4)", [
    userId,
    contentTypeId,
    toLower(names),
    toLower(domains),
  ]);
  // The names of an alert's people go with their rows.
  await db.query("UPDATE audit_alert SET ip_address = NULL WHERE $1 IN (user_id, by_id)", [userId]);
}

const TYPE_OF_MODEL = "(SELECT id FROM content_type WHERE app_label || '.' || model_name = $1)";

/** Entries of objects of a model (`app.name`) keep that something was done, and by whom. */
export async function blankObjects(
  db: Queryable,
  modelKey: string,
  objectIds: readonly string[],
): Promise<void> {
  await db.query(`SELECT foyer_log_forget_objects(${TYPE_OF_MODEL}, $2)`, [modelKey, objectIds]);
}

/** Entries of a model of which the message holds one of the words; their values go along. */
export async function blankMessages(
  db: Queryable,
  modelKey: string,
  words: readonly string[],
): Promise<void> {
  await db.query(`SELECT foyer_log_forget_words(${TYPE_OF_MODEL}, $2)`, [modelKey, words]);
}
