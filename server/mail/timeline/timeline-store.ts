import type { TimelineAnswer } from "#contract/mail-timeline.ts";
import type { Queryable } from "#server/db/pool.ts";
import { stopKeysSql } from "../suppressions/stop-keys-store.ts";

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
