import type { Queryable } from "../../db/pool.ts";
import { TRIAL_KINDS } from "../kinds.ts";
import { toAddressKey } from "../secrets.ts";
import type { ReportedEvent } from "./report-source.ts";

/** An event of a mail, as what became of the mail is derived from it. */
export interface StoredEvent {
  id: number;
  kind: string;
  source: string;
  event_key: string;
  created_at: string;
  occurred_at: string | null;
  bounce_type: "Permanent" | "Transient" | "Undetermined" | null;
  bounce_subtype: string | null;
  is_certain: boolean | null;
  status_code: string | null;
  diagnostic: string | null;
  feedback_type: string | null;
  user_agent: string | null;
  candidates: number | null;
  feedback_id: string | null;
}

/** An event with the mail that it belongs to; null: of none that we know. */
interface MatchedEvent {
  event: ReportedEvent;
  messageId: number | null;
  /** The mail's own where the report has none. */
  recipient: string;
}

export interface EventOrigin {
  source: string;
  reportId: number;
  parserVersion: number;
  now: Date;
}

/**
 * Adds what a report says; what an older parser read out of it is superseded. News that is there already stays, and gets its
 * mail if it had none.
 */
export async function putEvents(
  db: Queryable,
  { source, reportId, parserVersion, now }: EventOrigin,
  events: readonly MatchedEvent[],
): Promise<void> {
  await db.query(
    "UPDATE mail_event SET superseded_at = $3 WHERE report_id = $1 AND superseded_at IS NULL AND parser_version < $2",
    [reportId, parserVersion, now],
  );
  await db.query(
    `WITH said AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS event(
         message_id integer, kind text, event_key text, recipient text, recipient_key text, occurred_at timestamptz,
         provider_id text, bounce_type text, bounce_subtype text, is_certain boolean, status_code text, diagnostic text,
         feedback_type text, user_agent text, candidates integer, feedback_id text, reporting_server text)
     )
     INSERT INTO mail_event (created_at, report_id, source, parser_version, message_id, kind, event_key, recipient, recipient_key,
       occurred_at, provider_id, bounce_type, bounce_subtype, is_certain, status_code, diagnostic, feedback_type, user_agent,
       candidates, feedback_id, reporting_server)
     SELECT $5, $3, $2, $4, message_id, kind, event_key, recipient, recipient_key, occurred_at, provider_id, bounce_type,
       bounce_subtype, is_certain, status_code, diagnostic, feedback_type, user_agent, candidates, feedback_id, reporting_server
     FROM said
     ON CONFLICT (source, event_key, recipient_key) WHERE superseded_at IS NULL
       DO UPDATE SET message_id = coalesce(mail_event.message_id, EXCLUDED.message_id)`,
    [JSON.stringify(events.map(toRow)), source, reportId, parserVersion, now],
  );
}

function toRow({ event, messageId, recipient }: MatchedEvent) {
  const { bounce, complaint } = event;
  return {
    message_id: messageId,
    kind: event.kind,
    event_key: event.key,
    recipient,
    recipient_key: toAddressKey(recipient),
    occurred_at: event.occurredAt,
    provider_id: event.mail.providerId,
    bounce_type: bounce?.type,
    bounce_subtype: bounce?.subtype,
    is_certain: bounce?.isCertain,
    status_code: event.statusCode,
    diagnostic: event.diagnostic,
    feedback_type: complaint?.feedbackType,
    user_agent: complaint?.userAgent,
    candidates: complaint?.candidates,
    feedback_id: event.feedbackId,
    reporting_server: event.reportingServer,
  };
}

const EVENT_COLUMNS = `id, kind, source, event_key, created_at, occurred_at, bounce_type, bounce_subtype, is_certain, status_code,
  diagnostic, feedback_type, user_agent, candidates, feedback_id`;

/** Everything that is known of a mail, superseded readings apart. */
export async function selectEvents(db: Queryable, messageId: number): Promise<StoredEvent[]> {
  const { rows } = await db.query<StoredEvent>(
    `SELECT ${EVENT_COLUMNS} FROM mail_event WHERE message_id = $1 AND superseded_at IS NULL ORDER BY id`,
    [messageId],
  );
  return rows;
}

/** What was read out of a report, by its latest reading. */
export async function selectEventsOf(
  db: Queryable,
  reportId: number,
): Promise<(StoredEvent & { report_id: number })[]> {
  const { rows } = await db.query<StoredEvent & { report_id: number }>(
    `SELECT ${EVENT_COLUMNS}, report_id FROM mail_event WHERE report_id = $1 AND superseded_at IS NULL ORDER BY id`,
    [reportId],
  );
  return rows;
}

/** Mails of which a report's events are, or were by an earlier reading. */
export async function selectMessagesOf(db: Queryable, reportId: number): Promise<number[]> {
  const { rows } = await db.query<{ message_id: number }>(
    "SELECT DISTINCT message_id FROM mail_event WHERE report_id = $1 AND message_id IS NOT NULL ORDER BY message_id",
    [reportId],
  );
  return rows.map(({ message_id }) => message_id);
}

/** Mails whose address our own next server refused, and of which staff have no row yet; of trials they get none. */
export async function selectRefused(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT mail.id FROM mail_event AS event JOIN mail_message AS mail ON mail.id = event.message_id
     WHERE event.source = 'outbox' AND event.kind = 'bounced' AND mail.recipient_key <> ''
       AND NOT mail.kind = ANY($1::text[])
       AND NOT EXISTS (SELECT FROM mail_bounce WHERE message_id = mail.id)
     ORDER BY mail.id`,
    [TRIAL_KINDS],
  );
  return rows.map(({ id }) => id);
}

interface Candidate {
  id: number;
  recipient: string;
  recipient_key: string;
}

/** The secret names one mail. Nothing else is believed of a mail that comes back: anybody can write one. */
async function findByToken(db: Queryable, token: string | undefined): Promise<Candidate[]> {
  if (token === undefined || !/^[\da-f]{24}$/.test(token)) return [];
  const { rows } = await db.query<Candidate>(
    "SELECT id, recipient, recipient_key FROM mail_message WHERE report_token = $1 AND recipient_key <> ''",
    [token],
  );
  return rows;
}

/** By what a provider that proved itself calls the mail. */
async function findByIds(db: Queryable, { mail }: ReportedEvent): Promise<Candidate[]> {
  const { rows } = await db.query<Candidate>(
    `SELECT id, recipient, recipient_key FROM mail_message
     WHERE recipient_key <> '' AND (message_id = $2
       OR id IN (SELECT message_id FROM mail_event WHERE provider_id = $1 AND source = 'outbox' AND message_id IS NOT NULL))
     ORDER BY id`,
    [mail.providerId ?? null, mail.messageId ?? null],
  );
  return rows;
}

/**
 * Finds the mail of which an event speaks, by its name and its recipient together. A report without a recipient is of the
 * mail's own.
 */
export async function matchEvent(db: Queryable, source: string, event: ReportedEvent): Promise<MatchedEvent> {
  const found = await findByToken(db, event.mail.reportToken);
  if (source !== "returned") found.push(...(await findByIds(db, event)));
  const key = event.recipient === null ? null : toAddressKey(event.recipient);
  const mail = found.find(({ recipient_key }) => key === null || recipient_key === key);
  return { event, messageId: mail?.id ?? null, recipient: event.recipient ?? mail?.recipient ?? "" };
}
