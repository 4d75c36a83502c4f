import type { Queryable } from "#server/db/pool.ts";

/** What work that outlives its request asks of whoever began it. */
export interface Person {
  username: string;
  level: number;
  isActive: boolean;
}

/** An account as it is now; undefined: it is gone. */
export async function findPerson(db: Queryable, userId: number): Promise<Person | undefined> {
  const { rows } = await db.query<Person>(
    `SELECT u.username, l.level, u.is_active AS "isActive"
     FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE u.id = $1`,
    [userId],
  );
  return rows[0];
}
