import type pg from "pg";

/** A number from 0 to 1 of a row's number; the salt makes those of one row independent of each other. */
const share = (salt: number) => `((hashint8(i::bigint * 31 + ${salt}) & 2147483647) / 2147483648.0)`;

/** A mail a row, over a year, addresses at a few large providers and many small ones; some people come twice. */
const MAILS_SQL = `
  INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, status, sent_at,
    handed_over_at, created_at, delivery_state)
  SELECT 'token-' || i, 'report-' || i, '<' || i || '@foyer.example>',
    CASE WHEN ${share(1)} < 0.5 THEN 'verification_code' WHEN ${share(1)} < 0.8 THEN 'contact_acknowledgement' ELSE 'new_sign_in' END,
    address, address, 'en', '{}', 'sent', at, at, at, $3
  FROM generate_series($1::integer, $2::integer) i
  CROSS JOIN LATERAL (SELECT now() - ${share(2)} * interval '365 days' AS at,
    lower((ARRAY['Ada', 'Grace', 'Linus', 'Margaret', 'Barbara', 'Alan', 'Edsger', 'Frances'])[1 + floor(8 * ${share(3)})::int])
      || '.' || floor($2 * 0.9 * ${share(4)})::int || '@' ||
      CASE WHEN ${share(5)} < 0.4 THEN 'gmail.example' WHEN ${share(5)} < 0.6 THEN 'outlook.example'
        ELSE 'company' || floor(5000 * ${share(6)})::int || '.example' END AS address) one`;

const TRIAGE =
  "message_id, email_address, mail_kind, source, verdict, feedback_id, is_processed, processed_at, unsubscribed_by";
/** Half are processed; old ones more often. One in eight was unsubscribed by staff, four in ten by the server. */
const TRIAGE_VALUES = `m.id, m.recipient, m.kind, 'ses', 'all', md5(i::text),
  processed.is_so, CASE WHEN processed.is_so THEN m.created_at + interval '2 days' END,
  CASE WHEN processed.is_so AND ${share(8)} < 0.25 THEN 'staff' WHEN ${share(8)} < 0.55 THEN 'server' END`;
const PROCESSED = `CROSS JOIN LATERAL (SELECT ${share(7)} < CASE WHEN m.created_at > now() - interval '30 days' THEN 0.3
  ELSE 0.55 END AS is_so) processed`;

const MAILS = `(SELECT m.*, m.id AS i FROM mail_message m WHERE m.delivery_state = $1) m`;

const BOUNCES_SQL = `
  INSERT INTO mail_bounce (${TRIAGE}, bounce_type, bounce_subtype, status_code, diagnostic_code, bounced_at)
  SELECT ${TRIAGE_VALUES},
    CASE WHEN ${share(9)} < 0.65 THEN 'Permanent' ELSE 'Transient' END,
    CASE WHEN ${share(9)} < 0.5 THEN 'NoEmail' WHEN ${share(9)} < 0.65 THEN 'General' ELSE 'MailboxFull' END,
    CASE WHEN ${share(9)} < 0.5 THEN '5.1.1' WHEN ${share(9)} < 0.65 THEN '5.2.1' ELSE '4.2.2' END,
    'smtp; 550 5.1.1 <' || m.recipient || '>: Recipient address rejected: User unknown in virtual mailbox table',
    m.created_at + ${share(10)} * interval '2 hours'
  FROM ${MAILS} ${PROCESSED}`;

const COMPLAINTS_SQL = `
  INSERT INTO mail_complaint (${TRIAGE}, feedback_type, raw_feedback_type, user_agent, complained_at)
  SELECT ${TRIAGE_VALUES},
    CASE WHEN ${share(9)} < 0.9 THEN 'abuse' WHEN ${share(9)} < 0.94 THEN 'fraud' WHEN ${share(9)} < 0.97 THEN 'not-spam' ELSE 'other' END,
    'abuse', 'Yahoo!-Mail-Feedback/2.0', m.created_at + ${share(10)} * interval '2 days'
  FROM ${MAILS} ${PROCESSED}`;

const EVENTS_SQL = `
  INSERT INTO mail_event (message_id, kind, source, event_key, recipient, recipient_key, occurred_at, created_at, parser_version)
  SELECT id, delivery_state, 'ses', 'event-' || id, recipient, recipient_key, created_at, created_at, 1 FROM mail_message`;

const TABLES = ["mail_message", "mail_event", "mail_bounce", "mail_complaint"];

/** So many returned mails over a year and a fifth as many complaints, each with its mail and its event. */
export async function seedMail(pool: pg.Pool, rows: number): Promise<void> {
  await pool.query(MAILS_SQL, [1, rows, "bounced"]);
  await pool.query(MAILS_SQL, [rows + 1, rows + rows / 5, "complained"]);
  await pool.query(BOUNCES_SQL, ["bounced"]);
  await pool.query(COMPLAINTS_SQL, ["complained"]);
  await pool.query(EVENTS_SQL);
  for (const table of TABLES) await pool.query(`VACUUM ANALYZE ${table}`);
}
