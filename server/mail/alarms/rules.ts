import type { Queryable } from "#server/db/pool.ts";

/** What staff set in the content model `mail.rules`. Limits are percent. */
export interface MailRules {
  days: number;
  volume_min: number;
  bounce_limit: number;
  bounce_count_min: number;
  complaint_limit: number;
  complaint_count_min: number;
  alarm_holds: boolean;
  bounce_stops: boolean;
  complaint_stops: boolean;
  transient_count_min: number;
  transient_days: number;
}

export async function selectRules(db: Queryable): Promise<MailRules> {
  const { rows } = await db.query<MailRules>(
    `SELECT days, volume_min, bounce_limit::float8, bounce_count_min, complaint_limit::float8, complaint_count_min, alarm_holds,
       bounce_stops, complaint_stops, transient_count_min, transient_days
     FROM mail_rules`,
  );
  const [row] = rows;
  if (!row) throw new Error("the row of mail_rules is gone");
  return row;
}
