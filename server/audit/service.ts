import type { Queryable } from "#server/db/pool.ts";
import type { Actor } from "#server/models/actor.ts";
import {
  blankEntries,
  ensurePartition,
  type FullEntry,
  insertEntries,
  type OwnEntry,
  type PastName,
  selectFullEntries,
  selectNames,
  selectOwnEntries,
} from "./store.ts";

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
  await insertEntries(db, rows);
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

/** A person's own entries, newest first, from below the number `before`. */
export async function listOwnEntries(
  db: Queryable,
  userId: number,
  page: { before: number | null; limit: number },
): Promise<OwnEntry[]> {
  return selectOwnEntries(db, userId, page);
}

/** Everything that the log keeps of and about a person, newest first. */
export async function listEntriesOf(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null },
  limit: number,
): Promise<FullEntry[]> {
  return selectFullEntries(db, person, limit);
}

/** Names in lower case that an account had, as the log tells. Read before the person is taken out of it. */
export async function listNamesOf(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null },
): Promise<PastName[]> {
  return selectNames(db, person);
}

/**
 * Takes a person out of the log: entries of and about them stay, without what says who it was. `names` are those that they
 * sign in by, now or before; where one of them was typed at the log-in and belonged to no account, it goes too. Called in the transaction
 * that deletes the account.
 */
export async function forgetPerson(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null; names: readonly string[] },
): Promise<void> {
  await blankEntries(db, person);
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
    await ensurePartition(db, name, start, end);
  }
}
