import type { Readable } from "node:stream";
import type pg from "pg";
import type { z } from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Job, jobFailuresAnswer } from "#contract/content/bulk.ts";
import type { Language } from "#contract/languages.ts";
import type { Actor, Caller } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Floor } from "#server/floor.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { asksStepUp, isAllowed, requireModel } from "../records/access.ts";
import { UUID } from "../route-schemas.ts";
import { selectFailures, streamFailures } from "./job-failures.ts";
import type { FindPerson } from "./job-run.ts";
import {
  cancelJob,
  deleteJobsBefore,
  JOBS_MAX,
  type JobRow,
  requeueJob,
  selectJob,
  selectJobs,
} from "./job-store.ts";
import { toBulkText, toReasonText, toSummary } from "./refusals.ts";

/** Where a job stands, in words. */
function toMessage(job: JobRow, lang: Language): string {
  const counts = { affected: job.affected_count, skipped: job.skipped_count, failed: job.failed_count };
  const summary = toSummary(job.operation, counts, lang);
  switch (job.status) {
    case "queued":
    case "cancelling":
      return toBulkText(job.status, lang);
    case "running":
      return toBulkText("running", lang, { done: job.done_count, total: job.total_count });
    case "cancelled":
      return toBulkText("cancelled", lang, { summary });
    case "failed":
      return toBulkText("stopped", lang, { reason: toReasonText(job.message, lang), summary });
    case "done":
      return summary;
  }
}

/** A job as it travels. */
function toJob(
  job: JobRow,
  { username, isResumable }: { username: string | null; isResumable: boolean },
  registry: Registry,
  lang: Language,
): Job {
  const model = registry.byContentTypeId.get(job.content_type_id);
  return {
    id: job.id,
    operation: job.operation,
    content_type_id: job.content_type_id,
    verbose_name: model?.pluralLabels[lang] ?? `#${job.content_type_id}`,
    status: job.status,
    total_count: job.total_count,
    done_count: job.done_count,
    affected_count: job.affected_count,
    skipped_count: job.skipped_count,
    failed_count: job.failed_count,
    is_resumable: isResumable,
    message: toMessage(job, lang),
    created_at: job.created_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
    user: job.user_id === null || username === null ? null : { id: job.user_id, username },
  };
}

/** A job works with the rights of whose it is, so nobody else resumes it. The worker asks for these rights again. */
function isResumable(job: JobRow, actor: Actor, registry: Registry): boolean {
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
async function resumeJob(
  pool: pg.Pool,
  job: JobRow,
  { actor, registry, requireRecent }: { actor: Actor } & Pick<BulkJobDeps, "registry" | "requireRecent">,
): Promise<JobRow> {
  const { userId, ipAddress, requestId } = actor;
  if (userId === null || job.user_id !== userId) throw new AppError("job_not_resumable");
  const model = requireModel(registry, job.content_type_id, job.operation, actor);
  // The worker asks nobody: it is asked whoever starts it.
  if (asksStepUp(model, job.operation, Object.keys(job.data))) await requireRecent(actor);
  const resumed = await withTransaction(pool, (client) =>
    requeueJob(client, job.id, { userId, ipAddress, requestId }, JOBS_MAX),
  );
  if (resumed === "not_resumable") throw new AppError("job_not_resumable");
  if (resumed === "line_full") throw new AppError("too_many_jobs");
  return resumed;
}

const JOBS_LISTED = 50;
const FAILURES_PAGE = 100;

/** Jobs as people see them: their own; superusers everybody's. */
export interface BulkJobs {
  list(caller: Caller): Promise<Job[]>;
  get(id: string, caller: Caller): Promise<Job>;
  /** A job that is over stays as it is. */
  cancel(id: string, caller: Caller): Promise<Job>;
  /** One that was cancelled or has failed goes on. @throws AppError job_not_resumable, too_many_jobs. */
  resume(id: string, caller: Caller): Promise<Job>;
  listFailures(id: string, after: number | null, caller: Caller): Promise<z.infer<typeof jobFailuresAnswer>>;
  streamFailures(id: string, caller: Caller): Promise<Readable>;
  toAnswer(job: JobRow, caller: Caller): Promise<Job>;
}

interface BulkJobDeps {
  pool: pg.Pool;
  registry: Registry;
  requireRecent: Floor["requireRecent"];
  findPerson: FindPerson;
  wake: () => void;
}

export function createBulkJobs(deps: BulkJobDeps): BulkJobs {
  const { pool, registry, requireRecent, findPerson } = deps;

  const toAnswer = async (job: JobRow, { actor, lang }: Caller) => {
    const isOwn = job.user_id === actor.userId;
    const person = isOwn || job.user_id === null ? undefined : await findPerson(pool, job.user_id);
    const username = isOwn ? actor.username : (person?.username ?? null);
    return toJob(job, { username, isResumable: isResumable(job, actor, registry) }, registry, lang);
  };

  /** Whose job it is may see it, as long as they may see what it is about. */
  const isSeen = (job: JobRow, { actor }: Caller) => {
    if (actor.level >= ACCESS_LEVEL.superuser) return true;
    const model = registry.byContentTypeId.get(job.content_type_id);
    return job.user_id === actor.userId && model !== undefined && isAllowed(model, "view", actor.level);
  };

  const requireJob = async (id: string, caller: Caller) => {
    const job = UUID.test(id) ? await selectJob(pool, id) : undefined;
    if (!job || !isSeen(job, caller)) throw new AppError("job_not_found");
    return job;
  };

  return {
    toAnswer,
    async list(caller) {
      const { level, userId } = caller.actor;
      const jobs = await selectJobs(pool, level >= ACCESS_LEVEL.superuser ? null : userId, JOBS_LISTED);
      return Promise.all(jobs.filter((job) => isSeen(job, caller)).map((job) => toAnswer(job, caller)));
    },
    get: async (id, caller) => toAnswer(await requireJob(id, caller), caller),
    async cancel(id, caller) {
      const job = await requireJob(id, caller);
      const cancelled = await cancelJob(pool, id);
      // One that nobody works on is ended by whoever takes it up.
      deps.wake();
      return toAnswer(cancelled ?? (await selectJob(pool, id)) ?? job, caller);
    },
    async resume(id, caller) {
      const { actor } = caller;
      const found = await requireJob(id, caller);
      const job = await resumeJob(pool, found, { actor, registry, requireRecent });
      deps.wake();
      return toAnswer(job, caller);
    },
    async listFailures(id, after, caller) {
      await requireJob(id, caller);
      const from = after ?? Number.MIN_SAFE_INTEGER;
      const rows = await selectFailures(pool, id, from, FAILURES_PAGE);
      const last = rows.length === FAILURES_PAGE ? rows.at(-1) : undefined;
      return {
        failures: rows.map((row) => ({ ...row, message: toReasonText(row.reason, caller.lang) })),
        next_after: last?.id ?? null,
      };
    },
    async streamFailures(id, caller) {
      await requireJob(id, caller);
      return streamFailures((after, limit) => selectFailures(pool, id, after, limit), caller.lang);
    },
  };
}

export const JOB_KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Jobs that were over a month ago go. Called at start and daily. */
export async function removeOldJobs(db: Queryable, now: Date): Promise<void> {
  await deleteJobsBefore(db, new Date(now.getTime() - JOB_KEPT_DAYS * DAY_MS));
}
