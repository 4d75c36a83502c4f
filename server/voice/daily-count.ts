import type { Queryable } from "#server/db/pool.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const toDay = (now: Date) => now.toISOString().slice(0, 10);

/**
 * Counts one thing that a person makes today (UTC), in the transaction that makes it: those who come at the same time wait for
 * each other here. @returns false where they have made `max`.
 */
export async function countOne(
  db: Queryable,
  { userId, what, max, now }: { userId: number; what: "room" | "report"; max: number; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO voice_daily_count AS c (user_id, what, day, made) VALUES ($1, $2, $3, 1)
     ON CONFLICT (user_id, what, day) DO UPDATE SET made = c.made + 1 WHERE c.made < $4`,
    [userId, what, toDay(now), max],
  );
  return rowCount === 1;
}

/** Seconds until the next day (UTC). */
export function getWaitS(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
}

/** Days before today are over. */
export async function deleteOldCounts(db: Queryable, now: Date): Promise<void> {
  await db.query("DELETE FROM voice_daily_count WHERE day < $1", [toDay(now)]);
}
