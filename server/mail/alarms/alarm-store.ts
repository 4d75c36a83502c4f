import type { MailAlarm } from "#contract/mail/health.ts";
import type { Queryable } from "#server/db/pool.ts";
import { FOREIGN_TEXT_KINDS } from "../kinds.ts";
import { stopKeysSql, toAddressKey } from "../secrets.ts";
import type { AlarmKind, Counted, Judged } from "./rules.ts";

/** Until the transaction ends, one at a time looks for alarms or releases them: what is released stays so. */
export async function lockAlarms(db: Queryable): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('mail alarms', 0))");
}

/** Amazon's addresses that play a bounce or a complaint: trying them is no trouble. */
const SIMULATOR = "%@simulator.amazonses.com";

/**
 * What happened to the mails handed over since `start`: each counts on that day with what is known of it now. News that came
 * before the last release is left out, so that what was looked into alarms nobody again. `isAccepted`: nobody reports mails
 * that arrived, so taken by the next server counts as such.
 */
export async function countNews(
  db: Queryable,
  { start, isAccepted }: { start: Date; isAccepted: boolean },
): Promise<Record<AlarmKind, Counted>> {
  const { rows } = await db.query<{ sent: number; arrived: number; hard: number; complained: number }>(
    `WITH seen AS (
       SELECT coalesce(max(released_at) FILTER (WHERE kind = 'bounces'), '-infinity') AS bounces,
         coalesce(max(released_at) FILTER (WHERE kind = 'complaints'), '-infinity') AS complaints
       FROM mail_alarm
     )
     SELECT count(*)::integer AS sent,
       count(*) FILTER (WHERE m.delivery_state IN ('delivered', 'complained')
         OR ($2 AND m.delivery_state IN ('sent', 'delayed')))::integer AS arrived,
       count(*) FILTER (WHERE b.bounce_type = 'Permanent' AND b.bounce_subtype <> 'OnAccountSuppressionList'
         AND b.created_at > seen.bounces)::integer AS hard,
       count(*) FILTER (WHERE m.delivery_state = 'complained' AND c.feedback_type <> 'not-spam'
         AND c.raw_feedback_type IS DISTINCT FROM 'auth-failure' AND c.created_at > seen.complaints)::integer AS complained
     FROM seen, mail_message m
       LEFT JOIN mail_bounce b ON b.message_id = m.id AND m.delivery_state IN ('bounced', 'complained')
       LEFT JOIN mail_complaint c ON c.message_id = m.id
     WHERE m.handed_over_at >= $1 AND m.delivery_state IN ('sent', 'delayed', 'delivered', 'bounced', 'complained')
       AND m.recipient_key NOT LIKE $3`,
    [start, isAccepted, SIMULATOR],
  );
  const { sent = 0, arrived = 0, hard = 0, complained = 0 } = rows[0] ?? {};
  return { bounces: { count: hard, total: sent }, complaints: { count: complained, total: arrived } };
}

/** @returns the alarm's number; undefined when one of its kind stands. */
export async function insertAlarm(
  db: Queryable,
  alarm: Counted & Judged & { kind: AlarmKind; days: number; holds: boolean },
  now: Date,
): Promise<number | undefined> {
  const { kind, count, total, days, rate, limit, holds } = alarm;
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO mail_alarm (kind, began_at, created_at, updated_at, count, total, days, rate, "limit", holds)
     VALUES ($1, $2, $2, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (kind) WHERE released_at IS NULL DO NOTHING RETURNING id`,
    [kind, now, count, total, days, rate, limit, holds],
  );
  return rows[0]?.id;
}

/**
 * In the transaction that restores: what waited in the backup may have been sent since, and so waits for the owner's word, as does
 * what is queued from here on. Nobody gets a mail about it.
 */
export async function holdRestored(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `INSERT INTO mail_alarm (kind, began_at, created_at, updated_at, count, total, days, holds, mailed_at)
     SELECT 'restore', $1, $1, $1, count(*), count(*), 1, true, $1 FROM mail_message WHERE status IN ('pending', 'sending')
     ON CONFLICT (kind) WHERE released_at IS NULL DO NOTHING`,
    [now],
  );
  await db.query(
    `UPDATE mail_message SET status = 'held', updated_at = $1,
       delivery_state = CASE delivery_state WHEN 'pending' THEN 'held' ELSE delivery_state END
     WHERE status IN ('pending', 'sending')`,
    [now],
  );
}

/** What waits is never sent. @returns how many mails that were. */
export async function discardHeld(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE mail_message SET status = 'expired', response = 'Discarded after a restore.', secret = NULL, updated_at = $1,
       delivery_state = CASE delivery_state WHEN 'held' THEN 'expired' ELSE delivery_state END,
       vars = CASE WHEN kind = ANY($2::text[]) THEN '{}' ELSE vars END
     WHERE status = 'held'`,
    [now, FOREIGN_TEXT_KINDS],
  );
  return rowCount ?? 0;
}

/** Alarms that nobody released, newest first. */
export async function selectOpen(db: Queryable): Promise<MailAlarm[]> {
  const { rows } = await db.query<MailAlarm>(
    `SELECT id, kind, began_at, count, total, days, rate::float8, "limit"::float8, mailed_at, holds
     FROM mail_alarm WHERE released_at IS NULL ORDER BY began_at DESC, id DESC`,
  );
  return rows;
}

/** Whether staff had a mail about any alarm since then. */
export async function wasMailedSince(db: Queryable, since: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    "SELECT FROM mail_alarm WHERE mailed_at >= $1 AND kind <> 'restore' LIMIT 1",
    [since],
  );
  return rowCount === 1;
}

export async function markMailed(db: Queryable, ids: readonly number[], now: Date): Promise<void> {
  await db.query("UPDATE mail_alarm SET mailed_at = $2, updated_at = $2 WHERE id = ANY($1::integer[])", [
    ids,
    now,
  ]);
}

/** @returns those that were released, as they are called. */
export async function releaseAlarms(
  db: Queryable,
  by: { userId: number | null; now: Date },
): Promise<Pick<MailAlarm, "id" | "kind">[]> {
  const { rows } = await db.query<Pick<MailAlarm, "id" | "kind">>(
    `UPDATE mail_alarm SET released_at = $2, released_by_id = $1, updated_at = $2 WHERE released_at IS NULL RETURNING id, kind`,
    [by.userId, by.now],
  );
  return rows.sort((a, b) => a.id - b.id);
}

/**
 * Held mails that nothing holds any more are due at once, those that waited too long are of no use. A lease that begins before a
 * release and ends after it holds a mail for nothing: this frees it as well. @returns how many were freed.
 */
export async function freeHeld(db: Queryable, now: Date): Promise<number> {
  const isLate = "expires_at <= $1::timestamptz";
  const freed = `CASE WHEN ${isLate} THEN 'expired' ELSE 'pending' END`;
  const { rowCount } = await db.query(
    `UPDATE mail_message SET status = ${freed}, next_attempt_at = $1, updated_at = $1,
       delivery_state = CASE delivery_state WHEN 'held' THEN ${freed} ELSE delivery_state END,
       vars = CASE WHEN ${isLate} AND kind = ANY($2::text[]) THEN '{}' ELSE vars END
     WHERE status = 'held' AND (${isLate} OR NOT EXISTS (SELECT FROM mail_alarm WHERE holds AND released_at IS NULL))`,
    [now, FOREIGN_TEXT_KINDS],
  );
  return rowCount ?? 0;
}

export async function countHeld(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ held: number }>(
    "SELECT count(*)::integer AS held FROM mail_message WHERE status = 'held'",
  );
  return rows[0]?.held ?? 0;
}

/** Which of the addresses get no mail at all. */
export async function selectUnreachable(
  db: Queryable,
  addresses: readonly string[],
  { now, addressSecrets }: { now: Date; addressSecrets: readonly Buffer[] },
): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>(
    `SELECT key FROM unnest($1::text[]) AS key WHERE EXISTS (
       SELECT FROM mail_suppression
       WHERE address = ANY(${stopKeysSql("key", "$3")}) AND scope = 'all' AND (expires_at IS NULL OR expires_at > $2))`,
    [addresses.map(toAddressKey), now, addressSecrets],
  );
  const keys = new Set(rows.map(({ key }) => key));
  return addresses.filter((address) => keys.has(toAddressKey(address)));
}
