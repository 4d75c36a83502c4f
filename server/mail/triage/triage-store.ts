import type { TriageChange } from "#contract/mail-triage.ts";
import type { Queryable } from "#server/db/pool.ts";

/** The two tables of mails that staff look at. */
export type TriageTable = "mail_bounce" | "mail_complaint";

/** A row that staff are about to change; locked. */
export interface LockedRow {
  id: number;
  email_address: string;
  is_processed: boolean;
  unsubscribed_by: "server" | "staff" | null;
  /** Null: nothing holds because of it, or it was lifted. */
  suppression_id: number | null;
  /** Of a complaint `Permanent`: mails to it can always be stopped. */
  bounce_type: "Permanent" | "Transient";
  reason: string;
}

/** In the order of their numbers: two calls for the same rows never wait for each other. */
export async function lockRows(
  db: Queryable,
  table: TriageTable,
  ids: readonly number[],
): Promise<LockedRow[]> {
  const isBounce = table === "mail_bounce";
  const { rows } = await db.query<LockedRow>(
    `SELECT id, email_address, is_processed, unsubscribed_by, suppression_id,
       ${isBounce ? "bounce_type" : "'Permanent' AS bounce_type"},
       ${isBounce ? "coalesce(status_code, bounce_subtype)" : "feedback_type"} AS reason
     FROM ${table} WHERE id = ANY($1::integer[]) ORDER BY id FOR UPDATE`,
    [ids],
  );
  return rows;
}

/** Who changes rows, in which call. */
export interface Batch {
  id: string;
  userId: number;
  now: Date;
}

/** How the row stands, so that the call can be undone. */
const BEFORE = `jsonb_build_object('is_processed', is_processed, 'processed_at', processed_at, 'processed_by_id', processed_by_id,
  'unsubscribed_by', unsubscribed_by, 'suppression_id', suppression_id)`;

export async function markProcessed(
  db: Queryable,
  table: TriageTable,
  ids: readonly number[],
  { id, userId, now }: Batch,
): Promise<void> {
  await db.query(
    `UPDATE ${table} SET before = ${BEFORE}, batch_id = $2, is_processed = true, processed_at = $4, processed_by_id = $3,
       updated_at = $4
     WHERE id = ANY($1::integer[])`,
    [ids, id, userId, now],
  );
}

/** Mails to their addresses are stopped by now: that processes them too. `suppressions`: row's id → suppression's. */
export async function markUnsubscribed(
  db: Queryable,
  table: TriageTable,
  suppressions: ReadonlyMap<number, number>,
  { id, userId, now }: Batch,
): Promise<void> {
  await db.query(
    `UPDATE ${table} AS t SET before = ${BEFORE}, batch_id = $3, is_processed = true,
       processed_at = CASE WHEN is_processed THEN processed_at ELSE $5 END,
       processed_by_id = CASE WHEN is_processed THEN processed_by_id ELSE $4 END,
       unsubscribed_by = 'staff', suppression_id = made.suppression, updated_at = $5
     FROM unnest($1::integer[], $2::integer[]) AS made(row_id, suppression) WHERE t.id = made.row_id`,
    [[...suppressions.keys()], [...suppressions.values()], id, userId, now],
  );
}

/** Puts rows of a call back, as far as no later call changed them. @returns them. */
export async function restoreRows(
  db: Queryable,
  table: TriageTable,
  batchId: string,
  now: Date,
): Promise<{ id: number; email_address: string }[]> {
  const { rows } = await db.query<{ id: number; email_address: string }>(
    `UPDATE ${table} SET is_processed = (before->>'is_processed')::boolean,
       processed_at = (before->>'processed_at')::timestamptz,
       processed_by_id = (SELECT id FROM account_user WHERE id = (before->>'processed_by_id')::integer),
       unsubscribed_by = before->>'unsubscribed_by',
       suppression_id = (SELECT id FROM mail_suppression WHERE id = (before->>'suppression_id')::integer),
       before = NULL, batch_id = NULL, updated_at = $2
     WHERE batch_id = $1 RETURNING id, email_address`,
    [batchId, now],
  );
  return rows;
}

/** A row's note and owner before staff change them; locked. */
export interface TriageNotes {
  email_address: string;
  note: string | null;
  owner_id: number | null;
}

export async function lockNotes(
  db: Queryable,
  table: TriageTable,
  id: number,
): Promise<TriageNotes | undefined> {
  const { rows } = await db.query<TriageNotes>(
    `SELECT email_address, note, owner_id FROM ${table} WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
}

export async function updateNotes(
  db: Queryable,
  table: TriageTable,
  id: number,
  { note, owner_id }: Required<TriageChange>,
  now: Date,
): Promise<void> {
  await db.query(`UPDATE ${table} SET note = $2, owner_id = $3, updated_at = $4 WHERE id = $1`, [
    id,
    note,
    owner_id,
    now,
  ]);
}
