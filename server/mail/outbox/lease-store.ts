import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Queryable } from "#server/db/pool.ts";
import { CODE_KINDS, FOREIGN_TEXT_KINDS, OPTIONAL_KINDS, TRIAL_KINDS } from "../kinds.ts";
import { stopKeysSql } from "../secrets.ts";

/** What waits for the release of an alarm is of use for so long. */
const HELD_DAYS = 3;

/** What a restored copy sends before its owner let it: what somebody asks for now, and waits for. */
const NEVER_HELD_KINDS = [...CODE_KINDS, ...TRIAL_KINDS, "test"];

/**
 * Staff who stop mail to somebody of their level or above, or who stopped it before the address became that person's, don't stop
 * codes and notices of security: nobody is silenced from below. Of somebody who is gone the lowest level of staff is taken.
 */
const IS_FROM_BELOW = `((stop.created_by_id IS NOT NULL OR stop.source = 'admin') AND EXISTS (
  SELECT FROM account_user AS addressee JOIN access_level AS held ON held.id = addressee.access_level_id
  WHERE lower(addressee.email) = due.recipient_key AND addressee.id IS DISTINCT FROM stop.created_by_id
    AND held.level >= coalesce((SELECT given.level FROM account_user AS author
      JOIN access_level AS given ON given.id = author.access_level_id WHERE author.id = stop.created_by_id), ${ACCESS_LEVEL.admin})))`;

/** A message that this process took: it alone sends it until the lease ends. `sending` is the only status to act on. */
export interface LeasedMessage {
  id: number;
  created_at: string;
  token: string;
  report_token: string;
  message_id: string;
  kind: string;
  recipient: string;
  language: string;
  vars: unknown;
  secret: string | null;
  status: "sending" | "expired" | "suppressed" | "held";
  /** This one included. Names the lease: a later one has another number. */
  attempts: number;
  expires_at: string | null;
  contact_message_id: number | null;
  user_id: number | null;
  /** Of the request that it was queued for. */
  request_id: string | null;
  /** By the database's own clock, as ISO text. */
  leased_at: string;
}

interface LeaseRequest {
  now: Date;
  leaseUntil: Date;
  limit: number;
  /** What this process is sending: its own even where a lease ended because the database was away. */
  inHand: readonly number[];
  /** Of `MailSecrets`. */
  addressSecrets: readonly Buffer[];
  onlyId?: number | undefined;
}

/**
 * Takes messages that are due. Another process's are passed by unless their lease is over. Expiry, suppression and whether an
 * alarm holds optional mail are looked up in the same statement: when that fails, nothing is taken, and so nothing is sent.
 *
 * This statement and that of `markSent` have names, because each mail costs both: PostgreSQL plans them once a connection.
 */
export async function leaseMessages(
  db: Queryable,
  { now, leaseUntil, limit, inHand, addressSecrets, onlyId }: LeaseRequest,
): Promise<LeasedMessage[]> {
  const { rows } = await db.query<LeasedMessage>({
    name: "mail_lease",
    text: `WITH restored AS (
       SELECT EXISTS (SELECT FROM mail_alarm WHERE kind = 'restore' AND released_at IS NULL) AS holds
     ), due AS (
       SELECT id, kind, recipient_key, expires_at FROM mail_message
       WHERE status IN ('pending', 'sending') AND next_attempt_at <= $1 AND ($4::integer IS NULL OR id = $4)
         AND NOT id = ANY($7::integer[])
       ORDER BY next_attempt_at, id LIMIT $3 FOR UPDATE SKIP LOCKED
     ), judged AS (
       SELECT id, CASE
           WHEN expires_at <= $1 THEN 'expired'
           WHEN EXISTS (SELECT FROM mail_suppression AS stop
                        WHERE stop.address = ANY(${stopKeysSql("due.recipient_key", "$8")}) AND (stop.expires_at IS NULL OR stop.expires_at > $1)
                          AND (due.kind = ANY($5::text[]) OR stop.scope = 'all' AND NOT ${IS_FROM_BELOW})) THEN 'suppressed'
           WHEN kind = ANY($5::text[]) AND EXISTS (SELECT FROM mail_alarm WHERE holds AND released_at IS NULL) THEN 'held'
           WHEN restored.holds AND kind <> ALL($9::text[]) THEN 'held'
           ELSE 'sending' END AS verdict
       FROM due, restored
     )
     UPDATE mail_message SET status = verdict, updated_at = $1,
       delivery_state = CASE WHEN verdict <> 'sending' AND delivery_state = 'pending' THEN verdict ELSE delivery_state END,
       attempts = CASE verdict WHEN 'sending' THEN attempts + 1 ELSE attempts END,
       next_attempt_at = CASE verdict WHEN 'sending' THEN $2 ELSE next_attempt_at END,
       expires_at = CASE WHEN verdict = 'held' AND NOT (SELECT holds FROM restored)
         THEN least(expires_at, $1::timestamptz + interval '${HELD_DAYS} days') ELSE expires_at END,
       secret = CASE WHEN verdict IN ('sending', 'held') THEN secret END,
       vars = CASE WHEN verdict NOT IN ('sending', 'held') AND kind = ANY($6::text[]) THEN '{}' ELSE vars END
     FROM judged WHERE mail_message.id = judged.id
     RETURNING mail_message.id, created_at, token, report_token, message_id, kind, recipient, language, vars, secret, status, attempts,
               expires_at, contact_message_id, user_id, request_id, clock_timestamp() AS leased_at`,
    values: [
      now,
      leaseUntil,
      limit,
      onlyId ?? null,
      OPTIONAL_KINDS,
      FOREIGN_TEXT_KINDS,
      inHand,
      addressSecrets,
      NEVER_HELD_KINDS,
    ],
  });
  return rows;
}

/** Nothing waits longer than `longestMs`: what would was put off by a clock that went back since, and is due at once. */
export async function pullBackDue(db: Queryable, now: Date, longestMs: number): Promise<void> {
  await db.query(
    `UPDATE mail_message SET next_attempt_at = $1
     WHERE status IN ('pending', 'sending') AND next_attempt_at > $1::timestamptz + $2 * interval '1 ms'`,
    [now, longestMs],
  );
}

/** Messages that are still being sent stay this process's for longer. @returns those that were not leased again meanwhile, and when, as `leased_at`. */
export async function renewLeases(
  db: Queryable,
  leases: readonly { id: number; attempts: number }[],
  leaseUntil: Date,
): Promise<Map<number, string>> {
  const { rows } = await db.query<{ id: number; leased_at: string }>(
    `UPDATE mail_message AS mail SET next_attempt_at = $3
     FROM unnest($1::integer[], $2::integer[]) AS held(id, attempts)
     WHERE mail.id = held.id AND mail.attempts = held.attempts AND mail.status = 'sending'
     RETURNING mail.id, clock_timestamp() AS leased_at`,
    [leases.map(({ id }) => id), leases.map(({ attempts }) => attempts), leaseUntil],
  );
  return new Map(rows.map(({ id, leased_at }) => [id, leased_at]));
}

/** What the database's clock shows, while the message is this lease's; undefined: another process has taken it, or it is over. */
async function selectLeaseMoment(
  db: Queryable,
  { id, attempts }: { id: number; attempts: number },
): Promise<string | undefined> {
  const { rows } = await db.query<{ at: string }>(
    "SELECT clock_timestamp() AS at FROM mail_message WHERE id = $1 AND attempts = $2 AND status = 'sending'",
    [id, attempts],
  );
  return rows[0]?.at;
}

/** Which lease speaks, and what the other side said. */
export interface Result {
  id: number;
  attempts: number;
  response: string;
  now: Date;
}

/** Servers repeat addresses in their answers: none is kept once the person was taken out of the message. */
const toResponse = (parameter: number) => `CASE WHEN recipient = '' THEN NULL ELSE $${parameter}::text END`;

/** The other side has it: that holds whoever has leased the message since. Each hand-over has its event: one mail can have several. */
export async function markSent(
  db: Queryable,
  { id, attempts, response, now }: Result,
  providerId: string | undefined,
): Promise<void> {
  await db.query({
    name: "mail_sent",
    text: `WITH sent AS (
       UPDATE mail_message SET status = 'sent', sent_at = $2, response = ${toResponse(3)}, updated_at = $2,
         handed_over_at = CASE WHEN kind = ANY($7::text[]) THEN NULL ELSE $2::timestamptz END,
         delivery_state = CASE WHEN delivery_state IN ('pending', 'held') THEN 'sent' ELSE delivery_state END,
         secret = NULL, vars = CASE WHEN kind = ANY($4::text[]) THEN '{}' ELSE vars END
       WHERE id = $1 AND status IN ('pending', 'sending', 'held')
     )
     INSERT INTO mail_event (created_at, occurred_at, message_id, kind, source, event_key, recipient, recipient_key, provider_id,
                             diagnostic, parser_version)
     SELECT $2, $2, id, 'sent', 'outbox', id || ' sent ' || $5::integer, recipient,
       CASE recipient WHEN '' THEN 'forgotten ' || id ELSE recipient_key END, $6, ${toResponse(3)}, 0
     FROM mail_message WHERE id = $1
     ON CONFLICT DO NOTHING`,
    values: [id, now, response, FOREIGN_TEXT_KINDS, attempts, providerId ?? null, TRIAL_KINDS],
  });
}

/** What a refusal for good says: of the address (`bounced`), of the message or of us (`rejected`), or that no try is left (`failed`). */
export interface Refusal {
  kind: "bounced" | "rejected" | "failed";
  statusCode?: string | undefined;
  bounceSubtype?: string | undefined;
}

/** It is not tried again. Of a refused address `reports/reports.ts` makes a bounce: it looks for such events. */
export async function markFailed(
  db: Queryable,
  { id, attempts, response, now }: Result,
  refusal: Refusal,
): Promise<void> {
  await db.query(
    `WITH failed AS (
       UPDATE mail_message SET status = 'failed', response = ${toResponse(3)}, updated_at = $2,
         handed_over_at = CASE WHEN $6::text = 'failed' OR kind = ANY($9::text[]) THEN handed_over_at ELSE $2 END,
         delivery_state = CASE delivery_state WHEN 'pending' THEN $6 ELSE delivery_state END,
         failure_reason = coalesce(failure_reason, ${toResponse(3)}),
         secret = NULL, vars = CASE WHEN kind = ANY($4::text[]) THEN '{}' ELSE vars END
       WHERE id = $1 AND status = 'sending' AND attempts = $5
       RETURNING id, recipient, recipient_key
     )
     INSERT INTO mail_event (created_at, occurred_at, message_id, kind, source, event_key, recipient, recipient_key, diagnostic,
                             status_code, bounce_type, bounce_subtype, parser_version)
     SELECT $2, $2, id, $6, 'outbox', id || ' ' || $6 || ' ' || $5::integer, recipient,
       CASE recipient WHEN '' THEN 'forgotten ' || id ELSE recipient_key END, ${toResponse(3)}, $7,
       CASE $6 WHEN 'bounced' THEN 'Permanent' END, $8, 0
     FROM failed`,
    [
      id,
      now,
      response,
      FOREIGN_TEXT_KINDS,
      attempts,
      refusal.kind,
      refusal.statusCode ?? null,
      refusal.bounceSubtype ?? null,
      TRIAL_KINDS,
    ],
  );
}

/** It is tried again at `nextAttemptAt`. */
export async function markForLater(db: Queryable, result: Result, nextAttemptAt: Date): Promise<void> {
  await db.query(
    `UPDATE mail_message SET status = 'pending', next_attempt_at = $5, response = ${toResponse(3)}, updated_at = $2
     WHERE id = $1 AND status = 'sending' AND attempts = $4`,
    [result.id, result.now, result.response, result.attempts, nextAttemptAt],
  );
}

/** When the next message is due or its lease over, as ISO text; undefined when none waits. */
export async function selectNextDue(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ next: string | null }>(
    "SELECT min(next_attempt_at) AS next FROM mail_message WHERE status IN ('pending', 'sending')",
  );
  return rows[0]?.next ?? undefined;
}

/** Where other processes send too, a mail isn't handed over by a lease that is older: the rest is for clocks and for what is on the wire. */
const BELIEF_MS = 8_000;

/** Another process may send the mail by now: nothing is written down of this attempt. */
class LeaseOverError extends Error {
  override name = "LeaseOverError";
}

/** By the clocks of this process. While a machine sleeps the steady one stands still, and that on the wall may. */
export interface OwnMoment {
  steadyMs: number;
  wallMs: number;
}

/** A mail in hand. */
export interface Hold {
  attempts: number;
  /** When the lease was given: by the own clocks before it was asked for, and by the database's, which goes on. */
  since: OwnMoment & { databaseMs: number };
  /** Aborted once it is lost, or may be. */
  ended: AbortController;
  work: Promise<void>;
}

/** Ends a hold that is old by any clock, of which another process may have the mail. `at`: of the database's clock, where it was asked. */
export function endIfOver({ since, ended }: Hold, { steadyMs, wallMs }: OwnMoment, at?: string): void {
  const databaseMs = at === undefined ? since.databaseMs : Date.parse(at);
  const ageMs = Math.max(steadyMs - since.steadyMs, wallMs - since.wallMs, databaseMs - since.databaseMs);
  if (ageMs > BELIEF_MS) ended.abort(new LeaseOverError("the lease of the mail is over"));
}

/** Before each hand-over: ends a hold of which another process has the mail, or may have it. */
export async function checkHold(
  db: Queryable,
  row: LeasedMessage,
  hold: Hold,
  toMoment: () => OwnMoment,
): Promise<void> {
  const at = await selectLeaseMoment(db, row);
  if (at === undefined) hold.ended.abort(new LeaseOverError("another process has the mail"));
  endIfOver(hold, toMoment(), at);
}
