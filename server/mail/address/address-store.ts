import type { TimelineAnswer } from "#contract/mail/messages.ts";
import type { Queryable } from "../../db/pool.ts";
import { stopKeysSql } from "../secrets.ts";

/** A suppression that holds, with the event that caused it, where one did. */
export interface StandingStop {
  id: number;
  scope: "all" | "optional";
  source: string;
  created_by_id: number | null;
  /** Staff stopped it at a bounce or a complaint; it stays so when their account goes. */
  is_by_staff: boolean;
  created_at: string;
}

/** How a mail came back. */
export interface ReturnedMail {
  bounce_type: string;
  bounce_subtype: string;
  status_code: string | null;
  bounced_at: string;
}

/** What is known of the mails to one address. */
export interface AddressFacts {
  key: string;
  /** Of two the one of all mail stands first. */
  stops: readonly StandingStop[];
  /** Null: the latest mail that was handed over did not come back. */
  returned: ReturnedMail | null;
  /** The latest mail that came back, whatever came after it. */
  last_bounce: ReturnedMail | null;
}

const BOUNCE = `jsonb_build_object('bounce_type', b.bounce_type, 'bounce_subtype', b.bounce_subtype, 'status_code', b.status_code,
  'bounced_at', to_char(b.bounced_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** One query for any number of addresses, each by an index. `keys`: as `toAddressKey` writes them. */
export async function selectAddressFacts(
  db: Queryable,
  keys: readonly string[],
  { now, addressSecrets }: { now: Date; addressSecrets: readonly Buffer[] },
): Promise<AddressFacts[]> {
  const { rows } = await db.query<AddressFacts>(
    `SELECT asked.key,
       coalesce((SELECT jsonb_agg(jsonb_build_object('id', stop.id, 'scope', stop.scope, 'source', stop.source,
           'created_by_id', stop.created_by_id,
           'is_by_staff', EXISTS (SELECT FROM mail_bounce WHERE suppression_id = stop.id AND unsubscribed_by = 'staff')
             OR EXISTS (SELECT FROM mail_complaint WHERE suppression_id = stop.id AND unsubscribed_by = 'staff'),
           'created_at', to_char(stop.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY stop.scope, stop.id)
         FROM mail_suppression AS stop
         WHERE stop.address = ANY(${stopKeysSql("asked.key", "$3")}) AND (stop.expires_at IS NULL OR stop.expires_at > $2)), '[]') AS stops,
       (SELECT ${BOUNCE} FROM (
          SELECT id, delivery_state FROM mail_message
          WHERE recipient_key = asked.key AND delivery_state IN ('sent', 'delayed', 'delivered', 'bounced', 'complained')
          ORDER BY created_at DESC, id DESC LIMIT 1) AS latest
        JOIN mail_bounce AS b ON b.message_id = latest.id WHERE latest.delivery_state = 'bounced') AS returned,
       (SELECT ${BOUNCE} FROM mail_message AS m JOIN mail_bounce AS b ON b.message_id = m.id
        WHERE m.recipient_key = asked.key ORDER BY m.created_at DESC, m.id DESC LIMIT 1) AS last_bounce
     FROM unnest($1::text[]) AS asked(key)`,
    [keys, now, addressSecrets],
  );
  return rows;
}

/** When a person had their address tried since a moment, the latest first; ISO text. */
export async function selectTries(
  db: Queryable,
  { userId, kind, since }: { userId: number; kind: string; since: Date },
): Promise<string[]> {
  const { rows } = await db.query<{ created_at: string }>(
    "SELECT created_at FROM mail_message WHERE user_id = $1 AND kind = $2 AND created_at > $3 ORDER BY created_at DESC",
    [userId, kind, since],
  );
  return rows.map(({ created_at }) => new Date(created_at).toISOString());
}

/** A suppression as the person may know it whose address it is. */
export interface OwnStop {
  scope: string;
  source: string;
  reason: string;
  created_at: string;
  expires_at: string | null;
}

export async function selectStopsOf(
  db: Queryable,
  key: string,
  addressSecrets: readonly Buffer[],
): Promise<OwnStop[]> {
  const { rows } = await db.query<OwnStop>(
    `SELECT scope, source, reason, created_at, expires_at FROM mail_suppression
     WHERE address = ANY(${stopKeysSql("$1::text", "$2")}) ORDER BY created_at, id`,
    [key, addressSecrets],
  );
  return rows;
}

/** A mail that was written to a person. */
export interface OwnMail {
  kind: string;
  recipient: string;
  created_at: string;
  sent_at: string | null;
  /** What became of it, as far as other servers reported. */
  delivery_state: string;
  delivered_at: string | null;
  /** What the server said that did not take it. */
  failure_reason: string | null;
  returned: { type: string; subtype: string; status_code: string | null; at: string } | null;
  complaint: { type: string; at: string } | null;
}

/** All mails to an account, the newest first. */
export async function selectMailsTo(db: Queryable, userId: number): Promise<OwnMail[]> {
  const { rows } = await db.query<OwnMail>(
    `SELECT kind, recipient, m.created_at, sent_at, delivery_state, delivered_at, failure_reason,
       CASE WHEN b.id IS NOT NULL THEN jsonb_build_object('type', bounce_type, 'subtype', bounce_subtype, 'status_code', status_code,
         'at', bounced_at) END AS returned,
       CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('type', feedback_type, 'at', complained_at) END AS complaint
     FROM mail_message AS m LEFT JOIN mail_bounce AS b ON b.message_id = m.id LEFT JOIN mail_complaint AS c ON c.message_id = m.id
     WHERE user_id = $1 ORDER BY m.created_at DESC, m.id DESC`,
    [userId],
  );
  return rows;
}

/** As the answer says it, but for the kinds in words. */
export interface StoredTimeline {
  suppression: TimelineAnswer["suppression"];
  mails: Omit<TimelineAnswer["mails"][number], "kind_label">[];
}

const toIso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The newest mails to an address with all that happened to each, and what stops mail to it now, the widest first.
 * @param key as `toAddressKey` makes it.
 */
export async function selectTimeline(
  db: Queryable,
  key: string,
  { max, now, addressSecrets }: { max: number; now: Date; addressSecrets: readonly Buffer[] },
): Promise<StoredTimeline> {
  const { rows } = await db.query<StoredTimeline>(
    `SELECT (
       SELECT jsonb_build_object('id', id, 'scope', scope, 'reason', reason, 'source', source,
         'created_at', ${toIso("created_at")}, 'expires_at', ${toIso("expires_at")},
         'created_by', (SELECT username FROM account_user WHERE account_user.id = created_by_id))
       FROM mail_suppression WHERE address = ANY(${stopKeysSql("$1::text", "$4")}) AND (expires_at IS NULL OR expires_at > $3)
       ORDER BY scope = 'all' DESC LIMIT 1
     ) AS suppression, (
       SELECT coalesce(jsonb_agg(jsonb_build_object('id', mail.id, 'kind', mail.kind, 'created_at', ${toIso("mail.created_at")},
           'state', mail.delivery_state, 'events', coalesce(events.list, '[]')) ORDER BY mail.created_at DESC, mail.id DESC), '[]')
       FROM (SELECT id, kind, created_at, delivery_state FROM mail_message WHERE recipient_key = $1
             ORDER BY created_at DESC, id DESC LIMIT $2) AS mail
       LEFT JOIN LATERAL (
         SELECT jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'source', source, 'created_at', ${toIso("created_at")},
             'occurred_at', ${toIso("occurred_at")}, 'bounce_type', bounce_type, 'bounce_subtype', bounce_subtype,
             'feedback_type', feedback_type, 'status_code', status_code, 'diagnostic', diagnostic, 'report_id', report_id)
           ORDER BY id) AS list
         FROM mail_event WHERE message_id = mail.id AND superseded_at IS NULL
       ) AS events ON true
     ) AS mails`,
    [key, max, now, addressSecrets],
  );
  return rows[0] ?? { suppression: null, mails: [] };
}
