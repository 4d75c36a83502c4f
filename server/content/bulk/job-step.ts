import type pg from "pg";
import { notifyEntries } from "#server/audit/service.ts";
import { notifyChange, toRowChange } from "../../db/change-notices.ts";
import type { ApplyRows } from "./apply.ts";
import { applyParts } from "./apply-parts.ts";
import { insertFailures } from "./job-failures.ts";
import { advanceJob, type JobRow } from "./job-store.ts";
import { toReason } from "./refusals.ts";
import type { BulkTask } from "./task.ts";

export interface Step {
  job: JobRow;
  afterCommit: (() => Promise<void>)[];
}

/** Another process has done this step, or goes on with the job. */
export class StepTaken extends Error {
  override name = "StepTaken";
}

/**
 * One step of a job: rows, their audit entries, the list of those left alone, the notice and the progress commit together.
 * @throws StepTaken, and then nothing of it may be committed.
 */
export async function runStep(
  client: pg.PoolClient,
  apply: ApplyRows,
  task: BulkTask,
  job: JobRow,
  ids: readonly number[],
): Promise<Step> {
  const outcomes = await applyParts(client, apply, task, ids);
  const written = outcomes.filter((outcome) => outcome.state === "written").map(({ id }) => id);
  const faults = outcomes.filter((outcome) => outcome.isFault).length;
  const told = outcomes
    .filter(({ state }) => state !== "written" && state !== "unchanged")
    .map(({ id, repr, state }) => ({ id, repr, reason: toReason(state) }));
  await insertFailures(client, job.id, told);
  if (written.length > 0) {
    const type = task.operation === "delete" ? "deleted" : "updated";
    await notifyChange(client, task.model.key, toRowChange(type, written));
    await notifyEntries(client);
  }
  const next = await advanceJob(client, job.id, {
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
