import type pg from "pg";
import { until } from "./until.ts";

const WAITING =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/** How many statements in the database of `pool` wait for a lock. */
export const countWaiting = async (pool: pg.Pool): Promise<number> =>
  (await pool.query(WAITING)).rowCount ?? 0;

/**
 * Answers of calls that overlap at any pace: `lock` is held until each of them waits or has been answered, so that those who wait
 * have all passed what comes before. `waited` counts them. `meanwhile` is done with the lock, while they wait. For a database in which nothing else waits.
 */
export async function meetAtLock<Answer>(
  pool: pg.Pool,
  lock: (db: pg.PoolClient) => Promise<unknown>,
  calls: readonly (() => Promise<Answer>)[],
  meanwhile?: (db: pg.PoolClient) => Promise<unknown>,
): Promise<{ answers: Answer[]; waited: number }> {
  const holder = await pool.connect();
  try {
    await holder.query("BEGIN");
    await lock(holder);
    let answered = 0;
    const answers = Promise.all(
      calls.map(async (call) => {
        const answer = await call();
        answered += 1;
        return answer;
      }),
    );
    let waited = 0;
    await until(async () => {
      waited = await countWaiting(pool);
      return waited + answered === calls.length;
    });
    await meanwhile?.(holder);
    await holder.query("COMMIT");
    return { answers: await answers, waited };
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
}
