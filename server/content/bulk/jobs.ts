import type { Readable } from "node:stream";
import type pg from "pg";
import type { z } from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { Job, jobFailuresAnswer } from "#contract/bulk.ts";
import { AppError } from "#server/base/errors.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import type { Caller } from "../../base/actor.ts";
import { isAllowed } from "../records/access.ts";
import { UUID } from "../route-schemas.ts";
import { streamFailures } from "./failures-csv.ts";
import { toJob } from "./job-answer.ts";
import { selectFailures } from "./job-failures.ts";
import type { FindPerson } from "./job-person.ts";
import { cancelJob, type JobRow, selectJob, selectJobs } from "./job-store.ts";
import { isResumable, resumeJob } from "./resume.ts";
import { toReasonText } from "./texts.ts";

const JOBS_LISTED = 50;
const FAILURES_PAGE = 100;

/** Jobs as people meet them: their own; superusers everybody's. */
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

export function createBulkJobs(parts: {
  pool: pg.Pool;
  registry: Registry;
  findPerson: FindPerson;
  wake: () => void;
}): BulkJobs {
  const { pool, registry, findPerson } = parts;

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
      parts.wake();
      return toAnswer(cancelled ?? (await selectJob(pool, id)) ?? job, caller);
    },
    async resume(id, caller) {
      const { actor } = caller;
      const job = await resumeJob(pool, await requireJob(id, caller), { actor, registry });
      parts.wake();
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
