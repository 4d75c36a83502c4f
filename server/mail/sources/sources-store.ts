import type { Queryable } from "#server/db/pool.ts";

/** Of our own hand-over only what the next server answered is an event of this way. */
const ANSWERS = "('sent', 'bounced', 'rejected')";

/** When the latest event of each source came. A subquery for each: a source's name decides by which index it is found. */
export async function selectLastEvents(
  db: Queryable,
  sources: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const selects = sources.map(
    (_, index) => `SELECT $${index + 1}::text AS source, (
       SELECT created_at FROM mail_event WHERE source = $${index + 1} AND superseded_at IS NULL
         AND (source <> 'outbox' OR kind IN ${ANSWERS})
       ORDER BY created_at DESC, id DESC LIMIT 1) AS at`,
  );
  const { rows } = await db.query<{ source: string; at: string | null }>(selects.join(" UNION ALL "), [
    ...sources,
  ]);
  return new Map(rows.flatMap(({ source, at }) => (at === null ? [] : [[source, at] as const])));
}

/** A mail that is to come back, with the first report of it. */
export interface StoredTest {
  id: number;
  email: string;
  created_at: string;
  status: "pending" | "sending" | "sent" | "failed" | "suppressed" | "expired";
  response: string | null;
  sent_at: string | null;
  source: string | null;
  reported_at: string | null;
}

/** The latest one of the last 30 days: what is older is told by the list of mails. */
export async function selectLatestTest(db: Queryable, now: Date): Promise<StoredTest | undefined> {
  // A provider's word that it took the mail, or tries again, is no report of its return.
  const { rows } = await db.query<StoredTest>(
    `SELECT mail.id, mail.recipient AS email, mail.created_at, mail.status, mail.response, mail.sent_at, told.source,
       told.created_at AS reported_at
     FROM mail_message AS mail LEFT JOIN LATERAL (
       SELECT source, created_at FROM mail_event
       WHERE message_id = mail.id AND superseded_at IS NULL AND source <> 'outbox' AND kind NOT IN ('sent', 'delayed')
       ORDER BY id LIMIT 1) AS told ON true
     WHERE mail.kind = 'return_test' AND mail.created_at > $1::timestamptz - interval '30 days'
     ORDER BY mail.created_at DESC, mail.id DESC LIMIT 1`,
    [now],
  );
  return rows[0];
}

/** When each test since then was asked for, the latest first. */
export async function selectTestsSince(db: Queryable, since: Date): Promise<string[]> {
  const { rows } = await db.query<{ created_at: string }>(
    "SELECT created_at FROM mail_message WHERE kind = 'return_test' AND created_at > $1 ORDER BY created_at DESC, id DESC",
    [since],
  );
  return rows.map(({ created_at }) => created_at);
}

/** Any number that no other lock of this code has. */
const TEST_LOCK = 4_701_926;

/** Until the caller's transaction ends nobody else begins a test. */
export async function lockTests(db: Queryable): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock($1)", [TEST_LOCK]);
}
