import type { Queryable } from "#server/db/pool.ts";
import type { ProvenReport } from "./report-source.ts";

/** A stored report that is to be read. */
export interface StoredReport {
  id: number;
  source: string;
  content: unknown;
}

/** @returns false when it is there already. */
export async function insertReport(
  db: Queryable,
  source: string,
  { key, content }: ProvenReport,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO mail_report (received_at, source, report_key, content) VALUES ($1, $2, $3, $4)
     ON CONFLICT (source, report_key) DO NOTHING`,
    [now, source, key, JSON.stringify(content)],
  );
  return rowCount === 1;
}

/** The oldest one that nobody has read or reads. Undefined: none is left. */
export async function lockUnread(db: Queryable): Promise<StoredReport | undefined> {
  const { rows } = await db.query<StoredReport>(
    `SELECT id, source, content FROM mail_report WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  return rows[0];
}

export async function markRead(db: Queryable, id: number, parserVersion: number): Promise<void> {
  await db.query("UPDATE mail_report SET state = 'read', error = NULL, parser_version = $2 WHERE id = $1", [
    id,
    parserVersion,
  ]);
}

/** It stays, with the reason; staff can have it read again. */
export async function markUnreadable(db: Queryable, id: number, error: string): Promise<void> {
  await db.query("UPDATE mail_report SET state = 'failed', error = $2 WHERE id = $1 AND state = 'new'", [
    id,
    error.slice(0, 500),
  ]);
}

/**
 * Reports came before their mails' ids were known: those whose mail can be found by now are read again.
 * @returns how many.
 */
export async function reopenMatched(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE mail_report SET state = 'new' WHERE state = 'read' AND content <> 'null' AND id IN (
       SELECT event.report_id FROM mail_event AS event
       WHERE event.message_id IS NULL AND event.superseded_at IS NULL AND event.provider_id IS NOT NULL
         AND EXISTS (SELECT FROM mail_event AS own JOIN mail_message AS mail ON mail.id = own.message_id
                     WHERE own.provider_id = event.provider_id AND own.source = 'outbox'
                       AND mail.recipient_key = event.recipient_key))`,
  );
  return rowCount ?? 0;
}

/**
 * Reports are read again: one, those that could not be read, or all. Those of a person who was taken out are empty, and stay as
 * they are. @returns how many.
 */
export async function reopenReports(db: Queryable, which: number | "failed" | "all"): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE mail_report SET state = 'new', error = NULL
     WHERE state <> 'new' AND content <> 'null' AND ($1::integer IS NULL OR id = $1) AND (NOT $2 OR state = 'failed')`,
    [typeof which === "number" ? which : null, which === "failed"],
  );
  return rowCount ?? 0;
}

/** A report as staff look at it. */
export interface KeptReport extends StoredReport {
  received_at: string;
  state: string;
  error: string | null;
  parser_version: number | null;
}

export async function selectReport(db: Queryable, id: number): Promise<KeptReport | undefined> {
  const { rows } = await db.query<KeptReport>(
    "SELECT id, source, received_at, state, error, parser_version, content FROM mail_report WHERE id = $1",
    [id],
  );
  return rows[0];
}

/** How many reports of each way in could not be read, and the first of them. */
export async function selectUnreadable(
  db: Queryable,
): Promise<{ source: string; count: number; first: number }[]> {
  const { rows } = await db.query<{ source: string; count: number; first: number }>(
    `SELECT source, count(*)::integer AS count, min(id) AS first FROM mail_report WHERE state = 'failed' GROUP BY source`,
  );
  return rows;
}

/** How many reports nobody has read yet. */
export async function countUnread(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM mail_report WHERE state = 'new'",
  );
  return rows[0]?.count ?? 0;
}

/** @returns how many went. Their events stay. */
export async function deleteReportsBefore(db: Queryable, before: Date): Promise<number> {
  const { rowCount } = await db.query("DELETE FROM mail_report WHERE received_at < $1", [before]);
  return rowCount ?? 0;
}
