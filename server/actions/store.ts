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
