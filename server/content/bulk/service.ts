import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { BulkAnswer, BulkPreview, BulkPreviewRequest, BulkRequest } from "#contract/content/bulk.ts";
import { type Caller, toReader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import { quoteName } from "#server/db/sql.ts";
import { withRetriedTransaction, withTransaction } from "#server/db/transaction.ts";
import type { FileService } from "#server/files/service.ts";
import type { Floor } from "#server/floor.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { asksStepUp, requireModel } from "../records/access.ts";
import { createParameters } from "../records/record-sql.ts";
import { nameTable, toWriteError } from "../write/database-faults.ts";
import { findUnseen, toUnseenFault } from "../write/values.ts";
import { type ApplyRows, countAtOnce, createApplyRows, type Writers } from "./apply.ts";
import type { FindPerson } from "./job-run.ts";
import { insertJob, JOBS_MAX, type JobRow } from "./job-store.ts";
import { createJobWorker, type JobWorker } from "./job-worker.ts";
import { type BulkJobs, createBulkJobs } from "./jobs.ts";
import { previewTask } from "./preview.ts";
import {
  countOf,
  countTargets,
  type Tally,
  tally,
  toBulkText,
  toRefusals,
  toSummary,
  withMissing,
} from "./refusals.ts";
import { boundedCountSql, judgeRows, NO_SNAPSHOT } from "./rows-sql.ts";
import { type BulkTask, parseTask, toBatchId } from "./task.ts";

export interface RunDeps {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "announce">;
  writers: Writers;
  apply: ApplyRows;
}

/**
 * Compares a preview's count with the rows that would be written if nothing had changed since.
 * @throws AppError count_changed with the number of now.
 */
function checkExpected(groups: Tally, expected: number | undefined): void {
  const count = countOf(groups, "written", "changed_since");
  if (expected !== undefined && count !== expected) throw new AppError("count_changed", { vars: { count } });
}

/**
 * All rows of a task in one transaction: what a constraint refuses undoes everything. Undefined: there are too many for
 * that, and nothing is written.
 */
async function runNow(
  { pool, feed, writers, apply }: RunDeps,
  task: BulkTask,
  expected: number | undefined,
): Promise<Tally | undefined> {
  const max = countAtOnce(task, writers);
  const done = await withRetriedTransaction(pool, async (client) => {
    const outcomes = await apply(client, task, { limit: max + 1 });
    // Rows came between the count and the write. What is written so far goes with the transaction.
    if (outcomes.length > max) throw new TooManyRows();
    const groups = withMissing(tally(outcomes), task, outcomes);
    checkExpected(groups, expected);
    const written = outcomes.filter(({ verdict }) => verdict.type === "written").map(({ id }) => id);
    if (written.length > 0) {
      const type = task.operation === "delete" ? "deleted" : "updated";
      await notifyChange(client, task.model.key, toRowChange(type, written));
    }
    return { groups, outcomes };
  }).catch((error: unknown) => {
    if (error instanceof TooManyRows) return undefined;
    throw error;
  });
  if (!done) return undefined;
  writers.get(task.model.key)?.committed();
  feed.announce(task.model.key);
  for (const { afterCommit } of done.outcomes) await afterCommit?.();
  return done.groups;
}

class TooManyRows extends Error {}

/** Puts a task in line as a job. Rows that are made from now on are left alone. @throws AppError count_changed, too_many_jobs. */
async function enqueueTask(
  pool: pg.Pool,
  task: BulkTask,
  request: BulkRequest,
): Promise<{ job: JobRow; groups: Tally }> {
  const { actor, model, reader } = task;
  const { userId } = actor;
  if (userId === null) throw new AppError("not_authenticated");
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ max_id: number }>(
      `SELECT coalesce(max(id), 0)::float8 AS max_id FROM ${quoteName(model.table)}`,
    );
    const { max_id = 0 } = rows[0] ?? {};
    const groups = await judgeRows(client, task);
    checkExpected(groups, request.expected_count);
    const job = await insertJob(
      client,
      {
        content_type_id: model.contentTypeId,
        operation: task.operation,
        user_id: userId,
        ip_address: actor.ipAddress,
        request_id: actor.requestId,
        language: reader.lang,
        scope: { query: request.query, exclude_ids: request.exclude_ids, max_id },
        data: request.data,
        snapshot: task.snapshot ?? NO_SNAPSHOT,
        total_count: countTargets(groups),
      },
      JOBS_MAX,
    );
    if (!job) throw new AppError("too_many_jobs");
    return { job, groups };
  });
}

/** What happens to many rows at once, and the jobs that it may become. */
export interface BulkService {
  preview(contentTypeId: number, request: BulkPreviewRequest, caller: Caller): Promise<BulkPreview>;
  /** Done at once, or begun as a job: then `job` is set. */
  run(contentTypeId: number, request: BulkRequest, caller: Caller): Promise<BulkAnswer>;
  jobs: BulkJobs;
}

export interface BulkDeps extends Pick<Floor, "requireRecent" | "leases"> {
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
  { pool, writers }: Pick<BulkDeps, "pool" | "writers">,
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
export function createBulk(deps: BulkDeps): { service: BulkService; worker: JobWorker } {
  const { pool, registry, files } = deps;
  const apply = createApplyRows(deps.writers);
  const worker = createJobWorker({ ...deps, apply });
  const jobs = createBulkJobs({ ...deps, wake: worker.wake });

  const open = async (contentTypeId: number, request: BulkRequest, caller: Caller) => {
    const model = requireModel(registry, contentTypeId, request.operation, caller.actor);
    const person = { actor: caller.actor, reader: toReader(caller), snapshot: request.snapshot ?? null };
    const task = parseTask(model, request, person);
    for (const [field, value] of task.values) {
      if (field.kind.holdsFile && value !== null)
        await files.checkAccepted(String(value), field.name, field.accept);
    }
    const unseen = await findUnseen(pool, task.values, task.reader);
    if (unseen.size > 0)
      throw new AppError("validation_failed", { fields: [...unseen.keys()].map(toUnseenFault) });
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
    const { job, groups } = await enqueueTask(pool, task, request);
    worker.wake();
    return {
      affected_count: 0,
      message: toBulkText("accepted", caller.lang, { count: job.total_count }),
      refusals: toRefusals(groups, caller.lang),
      job: await jobs.toAnswer(job, caller),
    };
  };

  return {
    worker,
    service: {
      jobs,
      async preview(contentTypeId, request, caller) {
        const task = await open(contentTypeId, request, caller);
        return withFaults(task, caller, () => previewTask({ ...deps, apply }, task, caller.lang));
      },
      async run(contentTypeId, request, caller) {
        const opened = await open(contentTypeId, request, caller);
        const names = [...opened.values.keys()].map(({ name }) => name);
        if (asksStepUp(opened.model, opened.operation, names)) await deps.requireRecent(caller.actor);
        const task = { ...opened, actor: { ...opened.actor, batchId: toBatchId(randomUUID()) } };
        const groups = await withFaults(task, caller, async () =>
          (await isMany(deps, task)) ? undefined : runNow({ ...deps, apply }, task, request.expected_count),
        );
        if (!groups) return withFaults(task, caller, () => begin(task, request, caller));
        const affected = countOf(groups, "written");
        const refusals = toRefusals(groups, caller.lang);
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
