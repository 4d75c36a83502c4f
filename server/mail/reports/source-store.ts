import type { Queryable } from "#server/db/pool.ts";

/** Why something that came by this way was not taken, the last time. */
export async function putRefusal(db: Queryable, name: string, refusal: string, now: Date): Promise<void> {
  await db.query(
    `INSERT INTO mail_source (name, refused_at, refusal) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET refused_at = EXCLUDED.refused_at, refusal = EXCLUDED.refusal`,
    [name, now, refusal],
  );
}

/** The provider waits for somebody to open a link. */
export async function putConfirmation(
  db: Queryable,
  name: string,
  { url, topic }: { url: string; topic: string },
  now: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO mail_source (name, confirmation_url, confirmation_topic, confirmation_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET confirmation_url = EXCLUDED.confirmation_url,
       confirmation_topic = EXCLUDED.confirmation_topic, confirmation_at = EXCLUDED.confirmation_at`,
    [name, url, topic, now],
  );
}

/** A report came, or somebody opened the link: nothing has to be confirmed any more. @returns false when nothing had to be. */
export async function dropConfirmation(db: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE mail_source SET confirmation_url = NULL, confirmation_topic = NULL, confirmation_at = NULL
     WHERE name = $1 AND confirmation_url IS NOT NULL`,
    [name],
  );
  return rowCount === 1;
}

/** What is written down of a way in. */
export interface StoredSource {
  name: string;
  refused_at: string | null;
  refusal: string | null;
  confirmation_url: string | null;
  confirmation_topic: string | null;
  confirmation_at: string | null;
}

export async function selectSources(db: Queryable): Promise<StoredSource[]> {
  const { rows } = await db.query<StoredSource>(
    "SELECT name, refused_at, refusal, confirmation_url, confirmation_topic, confirmation_at FROM mail_source",
  );
  return rows;
}
