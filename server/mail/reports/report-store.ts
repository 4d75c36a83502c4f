import type { Queryable } from "../../db/pool.ts";
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
export interface ShownReport extends StoredReport {
  received_at: string;
  state: string;
  error: string | null;
  parser_version: number | null;
}

export async function selectReport(db: Queryable, id: number): Promise<ShownReport | undefined> {
  const { rows } = await db.query<ShownReport>(
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

/** Why something that came by this way was not taken, the last time. */
export async function putRefusal(db: Queryable, name: string, refusal: string, now: Date): Promise<void> {
  await db.query(
    `INSERT INTO mail_source (name, refused_at, refusal) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET refused_at = EXCLUDED.refused_at, refusal = EXCLUDED.refusal`,
    [name, now, refusal],
  );
}

/** The provider waits for somebody to open a link. */
export async function putConfirmation(
  db: Queryable,
  name: string,
  { url, topic }: { url: string; topic: string },
  now: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO mail_source (name, confirmation_url, confirmation_topic, confirmation_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET confirmation_url = EXCLUDED.confirmation_url,
       confirmation_topic = EXCLUDED.confirmation_topic, confirmation_at = EXCLUDED.confirmation_at`,
    [name, url, topic, now],
  );
}

/** A report came, or somebody opened the link: nothing has to be confirmed any more. @returns false when nothing had to be. */
export async function dropConfirmation(db: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE mail_source SET confirmation_url = NULL, confirmation_topic = NULL, confirmation_at = NULL
     WHERE name = $1 AND confirmation_url IS NOT NULL`,
    [name],
  );
  return rowCount === 1;
}

/** What is written down of a way in. */
export interface StoredSource {
  name: string;
  refused_at: string | null;
  refusal: string | null;
  confirmation_url: string | null;
  confirmation_topic: string | null;
  confirmation_at: string | null;
}

export async function selectSources(db: Queryable): Promise<StoredSource[]> {
  const { rows } = await db.query<StoredSource>(
    "SELECT name, refused_at, refusal, confirmation_url, confirmation_topic, confirmation_at FROM mail_source",
  );
  return rows;
}

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

/** The latest one of the last 30 days: what is older is in the list of mails. */
export async function selectLatestTest(db: Queryable, now: Date): Promise<StoredTest | undefined> {
  // A provider's word that it took the mail, or tries again, is no report of its return.
  const { rows } = await db.query<StoredTest>(
    `SELECT mail.id, mail.recipient AS email, mail.created_at, mail.status, mail.response, mail.sent_at, report.source,
       report.created_at AS reported_at
     FROM mail_message AS mail LEFT JOIN LATERAL (
       SELECT source, created_at FROM mail_event
       WHERE message_id = mail.id AND superseded_at IS NULL AND source <> 'outbox' AND kind NOT IN ('sent', 'delayed')
       ORDER BY id LIMIT 1) AS report ON true
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
