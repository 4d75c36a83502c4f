import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { BulkAnswer, BulkPreview, BulkPreviewRequest, BulkRequest } from "#contract/bulk.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { FileService } from "#server/files/service.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { type Caller, toReader } from "../../base/actor.ts";
import { requireModel } from "../records/access.ts";
import { createParameters } from "../records/record-sql.ts";
import { findUnmet, toUnmetFault } from "../related-values.ts";
import { nameTable, toWriteError } from "../write/database-faults.ts";
import { countAtOnce, createApplyRows, type Writers } from "./apply.ts";
import { toBatchId } from "./batch-id.ts";
import { enqueueTask } from "./enqueue.ts";
import type { FindPerson } from "./job-person.ts";
import { createJobWorker, type JobWorker } from "./job-worker.ts";
import { type BulkJobs, createBulkJobs } from "./jobs.ts";
import { previewTask } from "./preview.ts";
import { countOf, toRefusals } from "./refusals.ts";
import { boundedCountSql } from "./rows-sql.ts";
import { runNow } from "./run-now.ts";
import { type BulkTask, parseTask } from "./task.ts";
import { toBulkText, toSummary } from "./texts.ts";

/** What happens to many rows at once, and the jobs that it may become. */
export interface BulkService {
  preview(contentTypeId: number, request: BulkPreviewRequest, caller: Caller): Promise<BulkPreview>;
  /** Done at once, or begun as a job: then `job` is set. */
  run(contentTypeId: number, request: BulkRequest, caller: Caller): Promise<BulkAnswer>;
  jobs: BulkJobs;
}

export interface BulkParts {
  pool: pg.Pool;
  registry: Registry;
  feed: Pick<ChangeFeed, "announce">;
  files: Pick<FileService, "checkAccepted">;
  writers: Writers;
  findPerson: FindPerson;
  /** Factor on the time that a preview takes. */
  patience?: number;
  log: { error(details: object, message: string): void };
}

/** Whether a task's rows are more than one transaction takes. */
async function isMany(
  { pool, writers }: Pick<BulkParts, "pool" | "writers">,
  task: BulkTask,
): Promise<boolean> {
  if ("ids" in task.rows) return false;
  const max = countAtOnce(task, writers);
  const { add, values } = createParameters();
  const sql = boundedCountSql(task, max + 1, add);
  const answer = await pool.query<{ count: number }>(sql, values);
  return (answer.rows[0]?.count ?? 0) > max;
}

/** Bulk operations, and the worker of this process's jobs. */
export function createBulk(parts: BulkParts): { service: BulkService; worker: JobWorker } {
  const { pool, registry, files } = parts;
  const apply = createApplyRows(parts.writers);
  const worker = createJobWorker({ ...parts, apply });
  const jobs = createBulkJobs({ ...parts, wake: worker.wake });

  const open = async (contentTypeId: number, request: BulkRequest, caller: Caller) => {
    const model = requireModel(registry, contentTypeId, request.operation, caller.actor);
    const person = { actor: caller.actor, reader: toReader(caller), snapshot: request.snapshot ?? null };
    const task = parseTask(model, request, person);
    for (const [field, value] of task.values) {
      if (field.kind.holdsFile && value !== null)
        await files.checkAccepted(String(value), field.name, field.accept);
    }
    const unmet = await findUnmet(pool, task.values, task.reader);
    if (unmet.size > 0)
      throw new AppError("validation_failed", { fields: [...unmet.keys()].map(toUnmetFault) });
    return task;
  };

  /** What PostgreSQL refuses, as a fault of the field that it speaks of. */
  const withFaults = async <Answer>(task: BulkTask, caller: Caller, work: () => Promise<Answer>) => {
    try {
      return await work();
    } catch (error) {
      const operation = task.operation === "delete" ? "delete" : "write";
      throw toWriteError(error, task.model, operation, (table) => nameTable(registry, table, caller));
    }
  };

  const begin = async (task: BulkTask, request: BulkRequest, caller: Caller): Promise<BulkAnswer> => {
    const { job, states } = await enqueueTask(pool, task, request);
    worker.wake();
    return {
      affected_count: 0,
      message: toBulkText("accepted", caller.lang, { count: job.total_count }),
      refusals: toRefusals(states, caller.lang),
      job: await jobs.toAnswer(job, caller),
    };
  };

  return {
    worker,
    service: {
      jobs,
      async preview(contentTypeId, request, caller) {
        const task = await open(contentTypeId, request, caller);
        return withFaults(task, caller, () => previewTask({ ...parts, apply }, task, caller.lang));
      },
      async run(contentTypeId, request, caller) {
        const opened = await open(contentTypeId, request, caller);
        const task = { ...opened, actor: { ...opened.actor, batchId: toBatchId(randomUUID()) } };
        const states = await withFaults(task, caller, async () =>
          (await isMany(parts, task)) ? undefined : runNow({ ...parts, apply }, task, request.expected_count),
        );
        if (!states) return withFaults(task, caller, () => begin(task, request, caller));
        const affected = countOf(states, "written");
        const refusals = toRefusals(states, caller.lang);
        const skipped = refusals.reduce((sum, { count }) => sum + count, 0);
        const counts = { affected, skipped, failed: 0 };
        return {
          affected_count: affected,
          message: toSummary(task.operation, counts, caller.lang),
          refusals,
          job: null,
        };
      },
    },
  };
}
