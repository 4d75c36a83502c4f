import type { Queryable } from "#server/db/pool.ts";

/** A row of `audit_entry` without what the database fills in. */
export interface AuditRow {
  user_id: number | null;
  username: string | null;
  action_type: string;
  detail: string | null;
  content_type_id: number | null;
  object_id: string | null;
  object_repr: string | null;
  change_message: string;
  changes: object | null;
  ip_address: string | null;
  request_id: string | null;
}

/** One statement for any number of entries. */
export async function insertEntries(db: Queryable, rows: readonly AuditRow[]): Promise<void> {
  await db.query(
    `INSERT INTO audit_entry (user_id, username, action_type, detail, content_type_id, object_id, object_repr,
                              change_message, changes, ip_address, request_id)
     SELECT user_id, username, action_type, detail, content_type_id, object_id, object_repr,
            change_message, changes, ip_address, request_id
     FROM jsonb_to_recordset($1::jsonb) AS entry(
       user_id integer, username text, action_type text, detail text, content_type_id integer, object_id text,
       object_repr text, change_message text, changes jsonb, ip_address text, request_id text)`,
    [JSON.stringify(rows)],
  );
}

/** What a person sees of an entry of their own. */
export interface OwnEntry {
  id: number;
  action_type: "CREATE" | "UPDATE" | "DELETE" | "VIEW" | "LOGIN" | "LOGOUT";
  detail: string | null;
  object_repr: string | null;
  timestamp: string;
  ip_address: string | null;
}

/**
 * By time and then number, as the index goes. The entry that a page begins after may have been written in the same moment as
 * others: those are told apart by their numbers.
 */
export async function selectOwnEntries(
  db: Queryable,
  userId: number,
  page: { before: number | null; limit: number },
): Promise<OwnEntry[]> {
  const { rows } = await db.query<OwnEntry & { id: string }>(
    `SELECT id, action_type, detail, object_repr, timestamp, ip_address FROM audit_entry
     WHERE user_id = $1 AND ($2::bigint IS NULL OR (timestamp, id) < (
       (SELECT timestamp FROM audit_entry WHERE user_id = $1 AND id = $2), $2))
     ORDER BY timestamp DESC, id DESC LIMIT $3`,
    [userId, page.before, page.limit],
  );
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}

/**
 * The account's own entries lose name and address, those about it also what they show of it. One update each over the
 * partitions; the last reads all of failed log-ins, which a deletion may take its time for.
 */
export async function blankEntries(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null; names: readonly string[] },
): Promise<void> {
  await db.query("UPDATE audit_entry SET username = NULL, ip_address = NULL WHERE user_id = $1", [
    person.userId,
  ]);
  await db.query(
    `UPDATE audit_entry SET object_repr = NULL, changes = NULL, change_message = ''
     WHERE content_type_id = $1 AND object_id = $2`,
    [person.contentTypeId, String(person.userId)],
  );
  await db.query(
    `UPDATE audit_entry SET username = NULL, ip_address = NULL
     WHERE user_id IS NULL AND action_type = 'LOGIN' AND lower(username) = ANY($1)`,
    [person.names.map((name) => name.toLowerCase())],
  );
}

/** Any number, the same in every version: one process at a time makes partitions. */
const PARTITION_LOCK = 4_701_921;

/** Makes a partition unless it is there, or the default partition already holds rows of its time. */
export async function ensurePartition(
  db: Queryable,
  name: string,
  start: string,
  end: string,
): Promise<void> {
  await db.query(`
    DO $$ BEGIN
      PERFORM pg_advisory_xact_lock(${PARTITION_LOCK});
      IF to_regclass('${name}') IS NULL
         AND NOT EXISTS (SELECT FROM audit_entry_default WHERE timestamp >= '${start}' AND timestamp < '${end}') THEN
        CREATE TABLE "${name}" PARTITION OF audit_entry FOR VALUES FROM ('${start}') TO ('${end}');
      END IF;
    END $$`);
}
