import type { Queryable } from "#server/db/pool.ts";

/** Written since this moment: no row is. Of a job whose request names no moment. */
export const NO_SNAPSHOT = "infinity";

/**
 * The moment up to which all that was written can be seen by a transaction that begins after the answer. A transaction that
 * is still writing has given its rows moments that are past, so the oldest one of them sets it; the microsecond is for rows
 * that bear the moment at which it began. Ask outside of the transaction that then looks. A role sees its own sessions.
 */
export async function selectSnapshot(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ moment: string }>(
    `SELECT least(clock_timestamp(), (
       SELECT min(xact_start) - interval '1 microsecond' FROM pg_stat_activity
       WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid())) AS moment`,
  );
  return rows[0]?.moment ?? "";
}
