import type { Queryable } from "#server/db/pool.ts";

/** False: the person had done so already. */
export async function insertBlock(db: Queryable, blockerId: number, blockedId: number): Promise<boolean> {
  const { rowCount } = await db.query(
    "INSERT INTO voice_block (blocker_id, blocked_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [blockerId, blockedId],
  );
  return rowCount === 1;
}

export async function deleteBlock(db: Queryable, blockerId: number, blockedId: number): Promise<boolean> {
  const { rowCount } = await db.query("DELETE FROM voice_block WHERE blocker_id = $1 AND blocked_id = $2", [
    blockerId,
    blockedId,
  ]);
  return rowCount === 1;
}

/** Whom somebody has blocked, newest first. */
export async function listBlocks(
  db: Queryable,
  blockerId: number,
): Promise<{ blocked_id: number; created_at: string }[]> {
  const { rows } = await db.query<{ blocked_id: number; created_at: string }>(
    `SELECT blocked_id, created_at FROM voice_block WHERE blocker_id = $1
     ORDER BY created_at DESC, blocked_id DESC`,
    [blockerId],
  );
  return rows;
}

/** Those whom somebody has blocked, and those who have blocked them. */
export async function listApart(db: Queryable, userId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT blocked_id AS id FROM voice_block WHERE blocker_id = $1
     UNION SELECT blocker_id FROM voice_block WHERE blocked_id = $1`,
    [userId],
  );
  return rows.map(({ id }) => id);
}
