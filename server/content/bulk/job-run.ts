import type pg from "pg";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { inTransaction } from "#server/db/transaction.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { createParameters } from "../records/record-sql.ts";
import { type ApplyRows, isByRow, STEP_ROWS_BY_ROW, type Writers } from "./apply.ts";
import { type FindPerson, JobStop, requirePerson } from "./job-person.ts";
import { runStep, type Step, StepTaken } from "./job-step.ts";
import { finishJob, type JobRow } from "./job-store.ts";
import { nextIdsSql } from "./rows-sql.ts";
import { type BulkTask, parseTask } from "./task.ts";

/** Rows of one transaction: as many as others wait for without noticing. */
const STEP_ROWS = 1_000;
/** Ids that are looked up at once: a search is not made anew for each step. */
const WINDOW_ROWS = 20_000;

export interface JobParts {
  registry: Registry;
  feed: Pick<ChangeFeed, "announce">;
  writers: Writers;
  apply: ApplyRows;
  findPerson: FindPerson;
}

/** How the work goes along with the rest of the process. */
export interface JobPace {
  /** The process stops: the job stays as it is, to be taken up again. */
  isStopping(): boolean;
  /** Called after each step with the time that it took: leaves room for others. */
  rest(stepMs: number): Promise<void>;
}

function toTask(job: JobRow, { actor, model }: Awaited<ReturnType<typeof requirePerson>>): BulkTask {
  const { max_id: _max, ...scope } = job.scope;
  const request = { ...scope, operation: job.operation, data: job.data };
  const reader = { lang: job.language, level: actor.level, userId: actor.userId };
  return parseTask(model, request, { actor, reader, snapshot: job.snapshot });
}

async function selectWindow(client: pg.PoolClient, task: BulkTask, job: JobRow): Promise<number[]> {
  const { add, values } = createParameters();
  const range = { after: Number(job.last_id), upTo: job.scope.max_id, limit: WINDOW_ROWS };
  const { rows } = await client.query<{ id: number }>(nextIdsSql(task, range, add), values);
  return rows.map((row) => row.id);
}

/** What caches and files learn of a step that is committed. */
async function settleStep(parts: JobParts, task: BulkTask, step: Step): Promise<void> {
  parts.writers.get(task.model.key)?.committed();
  parts.feed.announce(task.model.key);
  for (const afterCommit of step.afterCommit) await afterCommit();
}

async function runSteps(client: pg.PoolClient, parts: JobParts, begun: JobRow, pace: JobPace): Promise<void> {
  let job = begun;
  let level: number | undefined;
  let task: BulkTask | undefined;
  let ids: number[] = [];
  while (!pace.isStopping()) {
    if (job.status === "cancelling") return finishJob(client, job.id, "cancelled");
    const begin = performance.now();
    const person = await requirePerson(client, job, parts);
    if (!task || person.actor.level !== level) {
      level = person.actor.level;
      task = toTask(job, person);
      ids = [];
    }
    if (ids.length === 0) ids = await selectWindow(client, task, job);
    if (ids.length === 0) return finishJob(client, job.id, "done");
    const part = ids.splice(0, isByRow(task, parts.writers) ? STEP_ROWS_BY_ROW : STEP_ROWS);
    const now = task;
    const step = await inTransaction(client, () => runStep(client, parts.apply, now, job, part));
    job = step.job;
    await settleStep(parts, now, step);
    await pace.rest(performance.now() - begin);
  }
}

/** Works on a job that this connection holds, step by step, until it is over or the process stops. */
export async function runJob(
  client: pg.PoolClient,
  parts: JobParts,
  job: JobRow,
  pace: JobPace,
): Promise<void> {
  try {
    await runSteps(client, parts, job, pace);
  } catch (error) {
    if (error instanceof StepTaken) return;
    // What was asked can't be done any more: by this person, or at all.
    if (error instanceof JobStop) await finishJob(client, job.id, "failed", error.reason);
    else if (error instanceof AppError)
      await finishJob(client, job.id, "failed", error.fields[0]?.code ?? error.code);
    else throw error;
  }
}
