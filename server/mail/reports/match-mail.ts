import type { Queryable } from "#server/db/pool.ts";
import { toAddressKey } from "../address-key.ts";
import type { MatchedEvent } from "./event-store.ts";
import type { ReportedEvent } from "./reported-event.ts";

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
