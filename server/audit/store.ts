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
