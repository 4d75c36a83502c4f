import type { Queryable } from "#server/db/pool.ts";

/**
 * Takes an account that goes out of what bulk jobs keep: where it began them from, and its name among the rows that they could
 * not write.
 */
export async function blankPerson(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null },
): Promise<void> {
  await db.query("UPDATE content_job SET ip_address = NULL, request_id = NULL WHERE user_id = $1", [
    person.userId,
  ]);
  await db.query(
    `UPDATE content_job_failure f SET object_repr = '#' || f.object_id FROM content_job j
     WHERE j.id = f.job_id AND j.content_type_id = $2 AND f.object_id = $1`,
    [person.userId, person.contentTypeId],
  );
}
