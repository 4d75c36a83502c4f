import type pg from "pg";

/** Two transactions waited for each other, or could not both be: what one of them asks may be done when asked again. */
const AGAIN: readonly unknown[] = ["40P01", "40001"];
const TRIES_MAX = 3;

interface TransactionOptions {
  begin?: string;
  /** The rollback failed: the connection is not to be used again. */
  onBroken?: (fault: Error) => void;
}

/**
 * Runs `work` in one transaction on a connection that stays the caller's, with the locks that it holds, and gives its answer
 * back after commit. A throw rolls back and is thrown on.
 */
export async function inTransaction<Answer>(
  client: Pick<pg.PoolClient, "query">,
  work: () => Promise<Answer>,
  { begin = "BEGIN", onBroken = () => undefined }: TransactionOptions = {},
): Promise<Answer> {
  try {
    await client.query(begin);
    const answer = await work();
    await client.query("COMMIT");
    return answer;
  } catch (error) {
    await client.query("ROLLBACK").catch(onBroken);
    throw error;
  }
}

/**
 * Runs `work` in one transaction on one connection and gives its answer back after commit.
 * A throw rolls back and is thrown on; a connection whose rollback failed is not used again.
 */
export async function withTransaction<Answer>(
  pool: Pick<pg.Pool, "connect">,
  work: (client: pg.PoolClient) => Promise<Answer>,
  begin = "BEGIN",
): Promise<Answer> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onBroken = (fault: Error) => {
    broken = fault;
  };
  try {
    return await inTransaction(client, () => work(client), { begin, onBroken });
  } finally {
    client.release(broken);
  }
}

/** A transaction whose writes are only looked at: they are taken back once `work` has answered. */
export async function withRollback<Answer>(
  pool: Pick<pg.Pool, "connect">,
  work: (client: pg.PoolClient) => Promise<Answer>,
  begin = "BEGIN",
): Promise<Answer> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    return await work(client);
  } finally {
    await client.query("ROLLBACK").catch((fault: Error) => {
      broken = fault;
    });
    client.release(broken);
  }
}

/** Whether the database ended a transaction for another's sake: the same again can succeed. */
export function isEndedForAnother(error: unknown): boolean {
  return error instanceof Error && "code" in error && AGAIN.includes(error.code);
}

/** The same as `withTransaction`, begun anew where the database ended it for another's sake. `work` leaves nothing behind outside its transaction. */
export async function withRetriedTransaction<Answer>(
  pool: Pick<pg.Pool, "connect">,
  work: (client: pg.PoolClient) => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await withTransaction(pool, work);
    } catch (error) {
      if (!isEndedForAnother(error) || tries === TRIES_MAX) throw error;
    }
  }
}
