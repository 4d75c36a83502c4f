import type pg from "pg";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { isAllowed, requireModel } from "../records/access.ts";
import type { JobRow } from "./job-store.ts";
import { JOBS_MAX, requeueJob } from "./line-store.ts";

/** A job works with the rights of whose it is, so nobody else resumes it. The worker asks for these rights again. */
export function isResumable(job: JobRow, actor: Actor, registry: Registry): boolean {
  if (job.status !== "cancelled" && job.status !== "failed") return false;
  const model = registry.byContentTypeId.get(job.content_type_id);
  return (
    job.user_id === actor.userId &&
    model !== undefined &&
    isAllowed(model, "view", actor.level) &&
    isAllowed(model, job.operation, actor.level)
  );
}

/**
 * Puts a job that was cancelled or has failed in line again. It goes on behind its last row with the same query and snapshot.
 * @throws AppError job_not_resumable, too_many_jobs, or what `requireModel` says of a model that was taken away.
 */
export async function resumeJob(
  pool: pg.Pool,
  job: JobRow,
  { actor, registry }: { actor: Actor; registry: Registry },
): Promise<JobRow> {
  const { userId, ipAddress, requestId } = actor;
  if (userId === null || job.user_id !== userId) throw new AppError("job_not_resumable");
  requireModel(registry, job.content_type_id, job.operation, actor);
  const resumed = await withTransaction(pool, (client) =>
    requeueJob(client, job.id, { userId, ipAddress, requestId }, JOBS_MAX),
  );
  if (resumed === "not_resumable") throw new AppError("job_not_resumable");
  if (resumed === "line_full") throw new AppError("too_many_jobs");
  return resumed;
}
