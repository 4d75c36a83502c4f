import type pg from "pg";
import type { BulkPreview } from "#contract/bulk.ts";
import type { Language } from "#contract/languages.ts";
import { LIMITS } from "#contract/limits.ts";
import type { Dependents } from "#contract/models.ts";
import type { Registry } from "#server/models/registry.ts";
import { countDependents } from "../dependents.ts";
import { createParameters } from "../list-sql.ts";
import { type ApplyRows, isByRow, type RowOutcome, type Writers } from "./apply.ts";
import { applyParts } from "./apply-parts.ts";
import { judgeRows, selectWritable } from "./judge.ts";
import { countOf, type Tally, tally, toRefusals } from "./refusals.ts";
import { writtenRowsSql } from "./rows-sql.ts";
import { takeSamples } from "./samples.ts";
import type { BulkTask } from "./task.ts";

export interface PreviewParts {
  pool: pg.Pool;
  writers: Writers;
  apply: ApplyRows;
  registry: Registry;
}

/** A transaction whose writes are only looked at. */
async function withRollback<Answer>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    return await work(client);
  } finally {
    await client.query("ROLLBACK").catch((fault: Error) => {
      broken = fault;
    });
    client.release(broken);
  }
}

/** Rows that are written in the rehearsal: those whose outcome only their writer knows, or as many as are shown. */
function countRehearsed(task: BulkTask, writers: Writers): number {
  return isByRow(task, writers) ? LIMITS.bulkRowsMax : LIMITS.bulkSamplesMax;
}

/** What the rehearsal found to be refused is taken from the rows that would be written. */
function withRehearsed(states: Tally, outcomes: readonly RowOutcome[]): Tally {
  const refused = tally(outcomes.filter(({ state }) => state !== "written"));
  const merged = new Map(states);
  for (const [state, { count, ids }] of refused) {
    const known = merged.get(state) ?? { count: 0, ids: [] };
    merged.set(state, { count: known.count + count, ids: [...known.ids, ...ids] });
  }
  const count =
    countOf(states, "written") - [...refused.values()].reduce((sum, entry) => sum + entry.count, 0);
  return merged.set("written", { count, ids: [] });
}

/** What a deletion of a task's rows would take along. */
async function findDependents(
  client: pg.PoolClient,
  registry: Registry,
  task: BulkTask,
): Promise<Dependents[]> {
  if (task.operation !== "delete") return [];
  const { add, values } = createParameters();
  const { model, reader } = task;
  return countDependents(client, { model, registry, reader }, writtenRowsSql(task, add), values);
}

/**
 * Writes rows to see what comes of them. Rows that go need no trial, unless a subject has rules of its own; what refers to
 * them is counted. A job lists the rows that a constraint refuses; without one, the constraint refuses all.
 */
async function rehearse(
  client: pg.PoolClient,
  { apply, writers }: PreviewParts,
  task: BulkTask,
  { ids, isJob }: { ids: readonly number[]; isJob: boolean },
): Promise<readonly RowOutcome[]> {
  if (task.operation === "delete" && !isByRow(task, writers))
    return ids.map((id) => ({ id, repr: "", state: "written" }));
  return isJob || task.operation === "delete"
    ? applyParts(client, apply, task, ids)
    : apply(client, task, { within: ids });
}

/**
 * What a task would do: the exact number, what is refused and why, and rows as they would be, taken from a rehearsal that is
 * rolled back. A constraint that would undo all of it is thrown as it would be then.
 */
export async function previewTask(parts: PreviewParts, task: BulkTask, lang: Language): Promise<BulkPreview> {
  const { pool, writers, registry } = parts;
  const looked = await withRollback(
    pool,
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    async (client) => {
      const { rows } = await client.query<{ moment: string }>("SELECT clock_timestamp() AS moment");
      const states = await judgeRows(client, task);
      const ids = await selectWritable(client, task, countRehearsed(task, writers));
      const dependents = await findDependents(client, registry, task);
      return { snapshot: rows[0]?.moment ?? "", states, ids, dependents };
    },
  );
  const isJob = !("ids" in task.rows) && countTargets(looked.states) > LIMITS.bulkRowsMax;
  const rehearsed = await withRollback(pool, "BEGIN", (client) =>
    takeSamples(client, task, looked.ids, () => rehearse(client, parts, task, { ids: looked.ids, isJob })),
  );
  const states = withRehearsed(looked.states, rehearsed.outcomes);
  return {
    count: countOf(states, "written"),
    snapshot: looked.snapshot,
    refusals: toRefusals(states, lang),
    samples: rehearsed.samples.slice(0, LIMITS.bulkSamplesMax),
    dependents: looked.dependents,
    is_job: isJob,
  };
}

/** Rows that a task goes through, written or not. */
export function countTargets(states: Tally): number {
  return (
    [...states.values()].reduce((sum, { count }) => sum + count, 0) - countOf(states, "object_not_found")
  );
}
