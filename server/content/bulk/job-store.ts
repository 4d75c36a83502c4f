import { randomUUID } from "node:crypto";
import type { Job } from "#contract/content/bulk.ts";
import type { Language } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { TaskRequest } from "./task.ts";

/** A job as it is kept. */
export interface JobRow {
  id: string;
  content_type_id: number;
  operation: Job["operation"];
  status: Job["status"];
  user_id: number | null;
  ip_address: string | null;
  request_id: string | null;
  language: Language;
  scope: Pick<TaskRequest, "query" | "exclude_ids"> & { max_id: number };
  data: Record<string, unknown>;
  snapshot: string;
  /** A bigint: text. */
  last_id: string;
  total_count: number;
  done_count: number;
  affected_count: number;
  skipped_count: number;
  failed_count: number;
  /** Of who works on it, or did last. */
  fence: number;
  /** Why it stopped: a reason or the code of an error. */
  message: string;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

const UNFINISHED = "('queued', 'running', 'cancelling')";

export async function selectJob(db: Queryable, id: string): Promise<JobRow | undefined> {
  const { rows } = await db.query<JobRow>("SELECT * FROM content_job WHERE id = $1", [id]);
  return rows[0];
}

/** Newest first; of one person, or everybody's. */
export async function selectJobs(db: Queryable, userId: number | null, limit: number): Promise<JobRow[]> {
  const { rows } = await db.query<JobRow>(
    `SELECT * FROM content_job WHERE $1::integer IS NULL OR user_id = $1 ORDER BY created_at DESC, id LIMIT $2`,
    [userId, limit],
  );
  return rows;
}

/** Asks a job to stop: one that waits is over at once, one that runs after its step. Undefined: it was over before. */
export async function cancelJob(db: Queryable, id: string): Promise<JobRow | undefined> {
  const { rows } = await db.query<JobRow>(
    `UPDATE content_job SET
       status = CASE WHEN status = 'queued' THEN 'cancelled' ELSE 'cancelling' END,
       finished_at = CASE WHEN status = 'queued' THEN clock_timestamp() END
     WHERE id = $1 AND status IN ${UNFINISHED} RETURNING *`,
    [id],
  );
  return rows[0];
}

/** How many there are of each status that one has. */
export async function countJobs(db: Queryable): Promise<Record<string, number>> {
  const { rows } = await db.query<{ status: string; count: number }>(
    "SELECT status, count(*)::integer AS count FROM content_job GROUP BY status",
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Jobs to work on, the oldest first. */
export async function selectUnfinished(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM content_job WHERE status IN ${UNFINISHED} ORDER BY created_at, id`,
  );
  return rows.map((row) => row.id);
}

/** A job that its holder begins or takes up again, under a number of its own; undefined: it is over. */
export async function beginJob(db: Queryable, id: string): Promise<JobRow | undefined> {
  const { rows } = await db.query<JobRow>(
    `UPDATE content_job SET fence = fence + 1, started_at = coalesce(started_at, clock_timestamp()),
       status = CASE WHEN status = 'cancelling' THEN status ELSE 'running' END
     WHERE id = $1 AND status IN ${UNFINISHED} RETURNING *`,
    [id],
  );
  return rows[0];
}

export interface JobStep {
  fromId: number;
  lastId: number;
  done: number;
  affected: number;
  skipped: number;
  failed: number;
}

/** A job, and the number under which it was begun. */
export type BegunJob = Pick<JobRow, "id" | "fence">;

/** Writes a step down, in its transaction. Undefined: somebody else has done it, or has taken the job up. */
export async function advanceJob(
  db: Queryable,
  { id, fence }: BegunJob,
  step: JobStep,
): Promise<JobRow | undefined> {
  const { rows } = await db.query<JobRow>(
    `UPDATE content_job SET last_id = $3, done_count = done_count + $4, affected_count = affected_count + $5,
       skipped_count = skipped_count + $6, failed_count = failed_count + $7
     WHERE id = $1 AND last_id = $2 AND fence = $8 RETURNING *`,
    [id, step.fromId, step.lastId, step.done, step.affected, step.skipped, step.failed, fence],
  );
  return rows[0];
}

/** Only who took it up last ends it. */
export async function finishJob(
  db: Queryable,
  { id, fence }: BegunJob,
  status: "cancelled" | "done" | "failed",
  message = "",
): Promise<void> {
  await db.query(
    `UPDATE content_job SET status = $2, message = $3, finished_at = clock_timestamp()
     WHERE id = $1 AND fence = $4 AND status IN ${UNFINISHED}`,
    [id, status, message, fence],
  );
}

/** Jobs that were over before a moment go, with their lists of rows. */
export async function deleteJobsBefore(db: Queryable, moment: Date): Promise<void> {
  await db.query("DELETE FROM content_job WHERE finished_at < $1", [moment.toISOString()]);
}

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
