import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
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
  batch_id: string | null;
}

/**
 * Whether an entry stands under another one of its operation: all but the first of a statement do, and that one too where an
 * earlier statement wrote some. `batch` is SQL of the operation's id.
 */
const foldedSql = (batch: string) =>
  `(${batch} IS NOT NULL AND (row_number() OVER () > 1 OR EXISTS (SELECT FROM audit_entry o WHERE o.batch_id = ${batch})))`;

/** One statement for any number of entries. */
export async function insertEntries(db: Queryable, rows: readonly AuditRow[]): Promise<void> {
  await db.query(
    `INSERT INTO audit_entry (user_id, username, action_type, detail, content_type_id, object_id, object_repr,
                              change_message, changes, ip_address, request_id, batch_id, is_folded)
     SELECT user_id, username, action_type, detail, content_type_id, object_id, object_repr,
            change_message, changes, ip_address, request_id, batch_id, ${foldedSql("entry.batch_id")}
     FROM jsonb_to_recordset($1::jsonb) AS entry(
       user_id integer, username text, action_type text, detail text, content_type_id integer, object_id text,
       object_repr text, change_message text, changes jsonb, ip_address text, request_id text, batch_id text)`,
    [JSON.stringify(rows)],
  );
}

/** The same for each row of a query; the columns are SQL over it. */
export function insertEntriesSql(columns: Readonly<Record<keyof AuditRow, string>>, from: string): string {
  const names = [...Object.keys(columns), "is_folded"].join(", ");
  const values = [...Object.values(columns), foldedSql(columns.batch_id)].join(", ");
  return `INSERT INTO audit_entry (${names}) SELECT ${values} FROM ${from}`;
}

/** A row of `audit_alert` without what the database fills in, and what comes of it later. */
export interface AlertRow {
  kind: string;
  user_id: number | null;
  by_id: number | null;
  about: object | null;
  count: number;
  ip_address: string | null;
}

/** Of an alert that is about no account. */
export const NOBODYS_WEIGHT = ACCESS_LEVEL.admin - 1;

/**
 * How much an alert of kind `$1` about the person `$2` matters, by their level at this moment: people below staff are all one, and nobody's
 * account is another. What is about the whole site is above everybody.
 */
const WEIGHT = `CASE WHEN $1 IN ('keys_changed', 'audit_broken') THEN 1000 ELSE COALESCE(
    (SELECT CASE WHEN l.level < ${ACCESS_LEVEL.admin} THEN ${ACCESS_LEVEL.admin - 2} ELSE l.level END
     FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE u.id = $2), ${NOBODYS_WEIGHT}) END`;

/**
 * Unless its kind is switched off, or, with `isOnce`, one of its kind is there that nobody has seen. @returns its number; undefined
 * where none was made.
 */
export async function insertAlert(
  db: Queryable,
  row: AlertRow,
  isOnce: boolean,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO audit_alert (kind, user_id, by_id, about, count, ip_address, weight)
     SELECT $1, $2, $3, $4, $5, $6, ${WEIGHT}
     WHERE NOT EXISTS (SELECT FROM audit_alert_rules r WHERE NOT (to_jsonb(r) ->> $1)::boolean)
       AND NOT ($7 AND EXISTS (SELECT FROM audit_alert WHERE kind = $1 AND seen_at IS NULL))
     RETURNING id`,
    [
      row.kind,
      row.user_id,
      row.by_id,
      row.about && JSON.stringify(row.about),
      row.count,
      row.ip_address,
      isOnce,
    ],
  );
  return rows[0]?.id;
}

export async function deleteAlertsBefore(db: Queryable, moment: Date): Promise<void> {
  await db.query("DELETE FROM audit_alert WHERE created_at < $1", [moment]);
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

/** What the history of an object holds of an entry. */
export interface ObjectEntry {
  id: number;
  action_type: OwnEntry["action_type"];
  detail: string | null;
  change_message: string;
  timestamp: string;
  user_id: number | null;
  username: string | null;
  ip_address: string | null;
  changes: Record<string, { before?: unknown; after?: unknown }> | null;
}

/** Newest first, by time and then number, from below the entry `before`. */
export async function selectObjectEntries(
  db: Queryable,
  object: { contentTypeId: number; objectId: number },
  page: { before: number | null; limit: number },
): Promise<ObjectEntry[]> {
  const { rows } = await db.query<ObjectEntry & { id: string }>(
    `SELECT id, action_type, detail, change_message, timestamp, user_id, username, ip_address, changes FROM audit_entry
     WHERE content_type_id = $1 AND object_id = $2 AND ($3::bigint IS NULL OR (timestamp, id) < (
       (SELECT timestamp FROM audit_entry WHERE content_type_id = $1 AND object_id = $2 AND id = $3), $3))
     ORDER BY timestamp DESC, id DESC LIMIT $4`,
    [object.contentTypeId, String(object.objectId), page.before, page.limit],
  );
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}

/** What a person's export holds of an entry. */
export interface FullEntry extends Omit<OwnEntry, "ip_address"> {
  /** False: somebody else, or the server, did this to the account. */
  by_you: boolean;
  change_message: string;
  /** Of the account alone: what else was changed may be about others. */
  changes: object | null;
  /** The person's own. */
  ip_address: string | null;
}

export async function selectFullEntries(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null },
  limit: number,
): Promise<FullEntry[]> {
  const { rows } = await db.query<FullEntry & { id: string }>(
    `SELECT id, action_type, detail, object_repr, timestamp, change_message, is_own AS by_you,
       CASE WHEN is_about THEN changes END AS changes, CASE WHEN is_own THEN ip_address END AS ip_address
     FROM audit_entry, LATERAL (SELECT
       user_id IS NOT DISTINCT FROM $1 AS is_own,
       (content_type_id = $2 AND object_id = $3) IS TRUE AS is_about) AS entry
     WHERE user_id = $1 OR (content_type_id = $2 AND object_id = $3)
     ORDER BY timestamp DESC, audit_entry.id DESC LIMIT $4`,
    [person.userId, person.contentTypeId, String(person.userId), limit],
  );
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}

/** A name that an account had. `wasAddress`: an address that it had proven. */
export interface PastName {
  name: string;
  wasAddress: boolean;
}

/** What entries of and about an account call it, also before it was renamed and its address moved. */
export async function selectNames(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null },
): Promise<PastName[]> {
  const { rows } = await db.query<PastName>(
    `SELECT lower(name) AS name, bool_or(was_address) AS "wasAddress"
     FROM audit_entry AS e,
       LATERAL (SELECT e.content_type_id = $2 AND e.object_id = $3 AS is_about) AS about,
       LATERAL (VALUES
       (CASE WHEN e.user_id = $1 THEN e.username END, false),
       (CASE WHEN is_about THEN e.changes #>> '{username,before}' END, false),
       (CASE WHEN is_about THEN e.changes #>> '{email,before}' END, (e.changes #>> '{is_email_verified,before}') IS DISTINCT FROM 'false'),
       (CASE WHEN is_about THEN e.changes #>> '{pending_email,before}' END, false),
       (CASE WHEN is_about THEN e.changes #>> '{pending_email,after}' END, false)) AS past(name, was_address)
     WHERE (e.user_id = $1 OR (e.content_type_id = $2 AND e.object_id = $3)) AND name <> ''
     GROUP BY 1`,
    [person.userId, person.contentTypeId, String(person.userId)],
  );
  return rows;
}

/** Makes the part of the month that begins on a day (`2026-11-01`), unless it can't have one. @throws the database's 55P03. */
export async function addMonth(db: Queryable, day: string): Promise<void> {
  await db.query("SELECT foyer_log_add_month($1)", [day]);
}

/**
 * Drops the oldest part of a month that ended before a moment, with all its entries. @returns its name; null: there was none.
 * @throws the database's 55P03 behind a long reader, 42501 where the moment is less than four weeks ago
 */
export async function dropOldestMonth(db: Queryable, before: string): Promise<string | null> {
  const { rows } = await db.query<{ name: string | null }>("SELECT foyer_log_drop_month($1) AS name", [
    before,
  ]);
  return rows[0]?.name ?? null;
}

/** Deletes entries that a month of their own never got, from before a moment. @throws as `dropOldestMonth` */
export async function deleteOldDefaults(db: Queryable, before: string): Promise<number> {
  const { rows } = await db.query<{ count: string }>("SELECT foyer_log_delete_rest($1) AS count", [before]);
  return Number(rows[0]?.count ?? 0);
}
