import type pg from "pg";
import { notifyEntries } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { inTransaction } from "#server/db/transaction.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { isAllowed } from "../records/access.ts";
import { createParameters } from "../records/record-sql.ts";
import { type ApplyRows, applyParts, WRITER_ROWS, type Writers } from "./apply.ts";
import { insertFailures } from "./job-failures.ts";
import { advanceJob, finishJob, type JobRow } from "./job-store.ts";
import { type OwnReason, toCode, toReason } from "./refusals.ts";
import { nextIdsSql } from "./rows-sql.ts";
import { type BulkTask, parseTask, toBatchId } from "./task.ts";

/** Accounts' answer on who began a job, as they are now; undefined: the account is gone. */
export type FindPerson = (
  db: Queryable,
  userId: number,
) => Promise<{ username: string; level: number; isActive: boolean } | undefined>;

/** Why a job can't go on. */
class JobStop extends Error {
  override name = "JobStop";
  readonly reason: OwnReason;
  constructor(reason: OwnReason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Who does a job's next step, and with what. Asked before each: a person may have been suspended or demoted meanwhile.
 * @throws JobStop where they may not go on.
 */
async function requirePerson(
  db: Queryable,
  job: JobRow,
  deps: { registry: Registry; findPerson: FindPerson },
): Promise<{ actor: Actor; model: Model }> {
  const person = job.user_id === null ? undefined : await deps.findPerson(db, job.user_id);
  if (!person) throw new JobStop("account_gone");
  if (!person.isActive) throw new JobStop("account_suspended");
  const model = deps.registry.byContentTypeId.get(job.content_type_id);
  if (!model) throw new JobStop("model_not_found");
  if (!isAllowed(model, "view", person.level) || !isAllowed(model, job.operation, person.level))
    throw new JobStop("level_too_low");
  const actor: Actor = {
    userId: job.user_id,
    username: person.username,
    level: person.level,
    ipAddress: job.ip_address,
    requestId: job.request_id,
    batchId: toBatchId(job.id),
  };
  return { actor, model };
}

interface Step {
  job: JobRow;
  afterCommit: (() => Promise<void>)[];
}

/** Another process has done this step, or goes on with the job. */
class StepTaken extends Error {
  override name = "StepTaken";
}

/**
 * One step of a job: rows, their audit entries, the list of those left alone, the notice and the progress commit together.
 * @throws StepTaken, and then nothing of it may be committed.
 */
async function runStep(
  client: pg.PoolClient,
  apply: ApplyRows,
  task: BulkTask,
  job: JobRow,
  ids: readonly number[],
): Promise<Step> {
  const outcomes = await applyParts(client, apply, task, ids);
  const written = outcomes.filter(({ verdict }) => verdict.type === "written").map(({ id }) => id);
  const faults = outcomes.filter(({ verdict }) => verdict.type === "fault").length;
  const failures = outcomes.flatMap(({ id, repr, verdict }) =>
    verdict.type === "written" || verdict.type === "unchanged" ? [] : { id, repr, reason: toReason(verdict) },
  );
  await insertFailures(client, job.id, failures);
  if (written.length > 0) {
    const type = task.operation === "delete" ? "deleted" : "updated";
    await notifyChange(client, task.model.key, toRowChange(type, written));
    await notifyEntries(client);
  }
  const next = await advanceJob(client, job, {
    fromId: Number(job.last_id),
    lastId: ids.at(-1) ?? Number(job.last_id),
    done: ids.length,
    affected: written.length,
    // A row that meanwhile no longer matches is left alone as well.
    skipped: ids.length - written.length - faults,
    failed: faults,
  });
  if (!next) throw new StepTaken();
  return { job: next, afterCommit: outcomes.flatMap(({ afterCommit }) => afterCommit ?? []) };
}

/** Rows of one transaction: as many as others wait for without noticing. */
const STEP_ROWS = 1_000;
/** Ids that are looked up at once: a search is not made anew for each step. */
const WINDOW_ROWS = 20_000;

export interface JobDeps {
  registry: Registry;
  feed: Pick<ChangeFeed, "announce">;
  writers: Writers;
  apply: ApplyRows;
  findPerson: FindPerson;
}

/** How the work goes along with the rest of the process. */
export interface JobPace {
  /** The process stops, or may be taken for dead: the job stays as it is, to be taken up again. */
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
async function settleStep(deps: JobDeps, task: BulkTask, step: Step): Promise<void> {
  deps.writers.get(task.model.key)?.committed();
  deps.feed.announce(task.model.key);
  for (const afterCommit of step.afterCommit) await afterCommit();
}

async function runSteps(client: pg.PoolClient, deps: JobDeps, begun: JobRow, pace: JobPace): Promise<void> {
  let job = begun;
  let level: number | undefined;
  let task: BulkTask | undefined;
  let ids: number[] = [];
  while (!pace.isStopping()) {
    if (job.status === "cancelling") return finishJob(client, job, "cancelled");
    const begin = performance.now();
    const person = await requirePerson(client, job, deps);
    if (!task || person.actor.level !== level) {
      level = person.actor.level;
      task = toTask(job, person);
      ids = [];
    }
    if (ids.length === 0) ids = await selectWindow(client, task, job);
    if (ids.length === 0) return finishJob(client, job, "done");
    const part = ids.splice(0, deps.writers.has(task.model.key) ? WRITER_ROWS : STEP_ROWS);
    const now = task;
    const step = await inTransaction(client, () => runStep(client, deps.apply, now, job, part));
    job = step.job;
    await settleStep(deps, now, step);
    await pace.rest(performance.now() - begin);
  }
}

/** Works on a job that this process holds, step by step, until it is over or the work is to stop. */
export async function runJob(
  client: pg.PoolClient,
  deps: JobDeps,
  job: JobRow,
  pace: JobPace,
): Promise<void> {
  try {
    await runSteps(client, deps, job, pace);
  } catch (error) {
    if (error instanceof StepTaken) return;
    // What was asked can't be done any more: by this person, or at all.
    if (error instanceof JobStop) await finishJob(client, job, "failed", error.reason);
    else if (error instanceof AppError) await finishJob(client, job, "failed", toCode(error));
    else throw error;
  }
}
