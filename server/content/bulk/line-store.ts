import { randomUUID } from "node:crypto";
import type { Queryable } from "#server/db/pool.ts";
import { type JobRow, UNFINISHED } from "./job-store.ts";

export type NewJob = Pick<
  JobRow,
  | "content_type_id"
  | "operation"
  | "ip_address"
  | "request_id"
  | "language"
  | "scope"
  | "data"
  | "snapshot"
  | "total_count"
> & { user_id: number };

/** Any number, the same in every version: a person's line of jobs. */
const LINE_LOCK = 4_701_922;

/** One at a time for a person, so that two requests at once don't both find room. */
async function lockLine(db: Queryable, userId: number): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock($1, $2)", [LINE_LOCK, userId]);
}

const countUnfinishedSql = (userId: string) =>
  `(SELECT count(*) FROM content_job WHERE user_id = ${userId} AND status IN ${UNFINISHED})`;

/** Puts a job in line; undefined where the person has `max` unfinished ones. Call it in a transaction. */
export async function insertJob(db: Queryable, job: NewJob, max: number): Promise<JobRow | undefined> {
  await lockLine(db, job.user_id);
  const { rows } = await db.query<JobRow>(
    `INSERT INTO content_job (id, content_type_id, operation, user_id, ip_address, request_id, language, scope, data, snapshot, total_count)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
     WHERE ${countUnfinishedSql("$4")} < $12 RETURNING *`,
    [
      randomUUID(),
      job.content_type_id,
      job.operation,
      job.user_id,
      job.ip_address,
      job.request_id,
      job.language,
      JSON.stringify(job.scope),
      JSON.stringify(job.data),
      job.snapshot,
      job.total_count,
      max,
    ],
  );
  return rows[0];
}

/** Who resumes a job, and with which request: the entries of what follows name them. */
export interface Resumption {
  userId: number;
  ipAddress: string | null;
  requestId: string | null;
}

/**
 * Puts a person's cancelled or failed job in line again, where it stands: `last_id` and the counts stay, so that no row is
 * written twice. Call it in a transaction.
 */
export async function requeueJob(
  db: Queryable,
  id: string,
  by: Resumption,
  max: number,
): Promise<JobRow | "not_resumable" | "line_full"> {
  await lockLine(db, by.userId);
  const { rows } = await db.query<JobRow & { has_room: boolean }>(
    `SELECT *, ${countUnfinishedSql("$2")} < $3 AS has_room FROM content_job
     WHERE id = $1 AND user_id = $2 AND status IN ('cancelled', 'failed') FOR UPDATE`,
    [id, by.userId, max],
  );
  if (!rows[0]) return "not_resumable";
  if (!rows[0].has_room) return "line_full";
  const resumed = await db.query<JobRow>(
    `UPDATE content_job SET status = 'queued', message = '', finished_at = NULL, ip_address = $2, request_id = $3
     WHERE id = $1 RETURNING *`,
    [id, by.ipAddress, by.requestId],
  );
  return resumed.rows[0] ?? "not_resumable";
}

/** Unfinished jobs of one person. */
export const JOBS_MAX = 3;
