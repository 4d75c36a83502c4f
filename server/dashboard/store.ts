import type { Queryable } from "#server/db/pool.ts";

/** A day in UTC, `YYYY-MM-DD`, and how many there were. */
export interface DayCount {
  day: string;
  count: number;
}

const DAY = "to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD')";

/** Entries of the log per day since a day, of the models that the reader may view; entries of no model are everybody's. */
export async function selectActionDays(
  db: Queryable,
  sinceDay: string,
  contentTypeIds: readonly number[],
): Promise<DayCount[]> {
  const { rows } = await db.query<DayCount>(
    `SELECT ${DAY.replace("%s", "timestamp")} AS day, count(*)::integer AS count FROM audit_entry
     WHERE timestamp >= $1::timestamp AT TIME ZONE 'UTC' AND (content_type_id IS NULL OR content_type_id = ANY($2))
     GROUP BY 1`,
    [sinceDay, contentTypeIds],
  );
  return rows;
}

/** Accounts made per day since a day. */
export async function selectSignUpDays(db: Queryable, sinceDay: string): Promise<DayCount[]> {
  const { rows } = await db.query<DayCount>(
    `SELECT ${DAY.replace("%s", "created_at")} AS day, count(*)::integer AS count FROM account_user
     WHERE created_at >= $1::timestamp AT TIME ZONE 'UTC' GROUP BY 1`,
    [sinceDay],
  );
  return rows;
}
