import type pg from "pg";

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
  try {
    await client.query(begin);
    const answer = await work(client);
    await client.query("COMMIT");
    return answer;
  } catch (error) {
    await client.query("ROLLBACK").catch((fault: Error) => {
      broken = fault;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
