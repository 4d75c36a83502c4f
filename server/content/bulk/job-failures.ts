import type { Queryable } from "#server/db/pool.ts";

/** A row that a job left alone, or could not write. */
export interface FailureRow {
  id: number;
  repr: string;
  reason: string;
}

export async function insertFailures(
  db: Queryable,
  jobId: string,
  failures: readonly FailureRow[],
): Promise<void> {
  if (failures.length === 0) return;
  await db.query(
    `INSERT INTO content_job_failure (job_id, object_id, object_repr, reason)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
    [
      jobId,
      failures.map((failure) => failure.id),
      failures.map((failure) => failure.repr),
      failures.map((failure) => failure.reason),
    ],
  );
}

/** By id, from above one. */
export async function selectFailures(
  db: Queryable,
  jobId: string,
  after: number,
  limit: number,
): Promise<FailureRow[]> {
  const { rows } = await db.query<FailureRow>(
    `SELECT object_id::float8 AS id, object_repr AS repr, reason FROM content_job_failure
     WHERE job_id = $1 AND object_id > $2 ORDER BY object_id LIMIT $3`,
    [jobId, after, limit],
  );
  return rows;
}
