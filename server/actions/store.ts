import type { AlertKind } from "#contract/alerts.ts";
import type { LocalizedText } from "#contract/languages.ts";
import type { Queryable } from "../db/pool.ts";
import { quoteName } from "../db/sql.ts";

export type StoredChanges = Record<string, { before?: unknown; after?: unknown }>;

/** Of some numbers those of rows that a table has. */
export async function selectExistingIds(
  db: Queryable,
  table: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id::text AS id FROM ${quoteName(table)} WHERE id = ANY($1::bigint[])`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** What the log keeps of an entry beside the fields that every reader of it sees. */
export interface EntryRest {
  /** Also where there is no such account any more. */
  user_id: number | null;
  changes: StoredChanges | null;
  batch_id: string | null;
  /** Entries of the operation that begins with this one, counted up to `COUNTED_MAX`; null: it begins none. */
  batch_count: number | null;
}

/** Entries of one operation are counted up to here. */
export const COUNTED_MAX = 10_000;

/** The rest of some entries, by their numbers. Their times say in which partitions they are. */
export async function selectRest(
  db: Queryable,
  entries: readonly { id: number; timestamp: string }[],
): Promise<ReadonlyMap<number, EntryRest>> {
  if (entries.length === 0) return new Map();
  const { rows } = await db.query<EntryRest & { id: string }>(
    `SELECT e.id, e.user_id, e.changes, e.batch_id, CASE WHEN e.batch_id IS NOT NULL AND NOT e.is_folded THEN
       (SELECT count(*) FROM (SELECT FROM audit_entry o WHERE o.batch_id = e.batch_id LIMIT ${COUNTED_MAX + 1}) n)::integer
     END AS batch_count FROM audit_entry e
     WHERE e.id = ANY($1::bigint[]) AND e.timestamp = ANY($2::timestamptz[])`,
    [entries.map(({ id }) => id), entries.map(({ timestamp }) => timestamp)],
  );
  return new Map(rows.map(({ id, ...rest }) => [Number(id), rest]));
}

/** An alert with what its people are called now; null: there is none, or their account is gone. */
export interface StoredAlert {
  id: number;
  kind: AlertKind;
  user_id: number | null;
  person: string | null;
  by: string | null;
  about: LocalizedText | null;
  count: number;
  ip_address: string | null;
  created_at: string;
  weight: number;
  /** How many there are with it. */
  total: number;
  /** The highest number among those. */
  up_to: number;
}

const ALERTS = `SELECT a.id, a.kind, a.user_id, p.username AS person, b.username AS "by", a.about, a.count, a.ip_address, a.created_at,
    a.weight, count(*) OVER (%)::integer AS total, max(a.id) OVER (%) AS up_to
  FROM audit_alert a LEFT JOIN account_user p ON p.id = a.user_id LEFT JOIN account_user b ON b.id = a.by_id`;

/** The one that matters most and that nobody has seen; of several the newest. */
export async function selectUnseenAlert(db: Queryable): Promise<StoredAlert | undefined> {
  const { rows } = await db.query<StoredAlert>(
    `${ALERTS.replaceAll("%", "")} WHERE a.seen_at IS NULL ORDER BY a.weight DESC, a.id DESC LIMIT 1`,
  );
  return rows[0];
}

export async function markAlertsSeen(
  db: Queryable,
  { upTo, userId, now }: { upTo: number; userId: number | null; now: Date },
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    "UPDATE audit_alert SET seen_at = $3, seen_by_id = $2, updated_at = $3 WHERE id <= $1 AND seen_at IS NULL RETURNING id",
    [upTo, userId, now],
  );
  return rows.map(({ id }) => id);
}

/**
 * Until the transaction ends one at a time mails alerts. Of each kind and weight of which no mail was sent since `since` (and not in the
 * future: a clock may have gone back) the newest one that is not mailed: who makes many alerts about an account of their own keeps no
 * mail about the owner's back.
 */
export async function lockDueAlerts(db: Queryable, since: Date, now: Date): Promise<StoredAlert[]> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('security alerts', 0))");
  const { rows } = await db.query<StoredAlert>(
    `SELECT DISTINCT ON (kind, weight) * FROM (${ALERTS.replaceAll("%", "PARTITION BY a.kind, a.weight")}
       WHERE a.mailed_at IS NULL AND NOT EXISTS (
         SELECT FROM audit_alert m WHERE m.kind = a.kind AND m.weight = a.weight AND m.mailed_at > $1 AND m.mailed_at <= $2)) AS due
     ORDER BY kind, weight, id DESC`,
    [since, now],
  );
  return rows;
}

/** With those of its kind and weight that it speaks for. */
export async function markAlertsMailed(
  db: Queryable,
  { kind, weight, id }: Pick<StoredAlert, "kind" | "weight" | "id">,
  now: Date,
): Promise<void> {
  await db.query(
    "UPDATE audit_alert SET mailed_at = $4, updated_at = $4 WHERE kind = $1 AND weight = $2 AND id <= $3 AND mailed_at IS NULL",
    [kind, weight, id, now],
  );
}

/** Remembers the names of the keys. @returns those of before; null: none were known. */
export async function swapKnownKeys(db: Queryable, names: string): Promise<string | null> {
  const { rows } = await db.query<{ known_keys: string | null }>(
    `UPDATE audit_alert_rules r SET known_keys = $1 FROM (SELECT id, known_keys FROM audit_alert_rules FOR UPDATE) AS before
     WHERE r.id = before.id RETURNING before.known_keys`,
    [names],
  );
  if (!rows[0]) throw new Error("the row of audit_alert_rules is gone");
  return rows[0].known_keys;
}
