import type { Queryable } from "#server/db/pool.ts";
import type { Actor } from "#server/models/actor.ts";

export type ActionType = "CREATE" | "UPDATE" | "DELETE" | "VIEW" | "LOGIN" | "LOGOUT";

/** Changed fields, values as they travel. A created row has no `before`, a deleted one no `after`. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>;

export interface AuditEntry {
  action: ActionType;
  /** What exactly, where the action is too coarse: `export`, `import`, `failed_sign_in` … */
  detail?: string;
  contentTypeId?: number | null;
  objectId?: string | number | null;
  objectRepr?: string | null;
  message?: string;
  changes?: Changes;
}

/** Writes entries with the connection of the write that they tell of, so that both commit or neither does. */
export async function recordAudit(db: Queryable, actor: Actor, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({
    user_id: actor.userId,
    username: actor.username,
    ip_address: actor.ipAddress,
    request_id: actor.requestId,
    action_type: entry.action,
    detail: entry.detail ?? null,
    content_type_id: entry.contentTypeId ?? null,
    object_id: entry.objectId === undefined || entry.objectId === null ? null : String(entry.objectId),
    object_repr: entry.objectRepr ?? null,
    change_message: entry.message ?? "",
    changes: entry.changes ?? null,
  }));
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

/** The fields in which two states of a row differ, by value. */
export function toChanges(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  const changes: Changes = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) {
      changes[name] = { before: before[name], after: after[name] };
    }
  }
  return changes;
}

/**
 * Makes the partitions of this month and the next two. Called at start and daily; a month that the default partition
 * already holds rows of keeps them there.
 */
export async function ensureAuditPartitions(db: Queryable, now: Date): Promise<void> {
  for (let ahead = 0; ahead < 3; ahead++) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1));
    const [start, end] = [from.toISOString(), to.toISOString()];
    const name = `audit_entry_${start.slice(0, 7).replace("-", "_")}`;
    const { rows } = await db.query<{ taken: boolean }>(
      `SELECT to_regclass($1) IS NOT NULL
           OR EXISTS (SELECT FROM audit_entry_default WHERE timestamp >= $2 AND timestamp < $3) AS taken`,
      [name, start, end],
    );
    if (rows[0]?.taken) continue;
    await db.query(
      `CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF audit_entry FOR VALUES FROM ('${start}') TO ('${end}')`,
    );
  }
}
