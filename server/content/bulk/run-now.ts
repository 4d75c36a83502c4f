import type pg from "pg";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { withRetriedTransaction } from "#server/db/transaction.ts";
import { notifyChange, toRowChange } from "../../db/change-notices.ts";
import { type ApplyRows, countAtOnce, type RowOutcome, type Writers } from "./apply.ts";
import { countExpected, type Tally, tally, withMissing } from "./refusals.ts";
import type { BulkTask } from "./task.ts";

export interface RunParts {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "announce">;
  writers: Writers;
  apply: ApplyRows;
}

/** Rows by what became of them, those among the asked ids that nobody met included. */
function toTally(task: BulkTask, outcomes: readonly RowOutcome[]): Tally {
  const states = tally(outcomes);
  if (!("ids" in task.rows)) return states;
  return withMissing(states, task.rows.ids, new Set(outcomes.map(({ id }) => id)));
}

/** @throws AppError count_changed with the number of now. */
export function checkExpected(states: Tally, expected: number | undefined): void {
  const count = countExpected(states);
  if (expected !== undefined && count !== expected) throw new AppError("count_changed", { vars: { count } });
}

/**
 * All rows of a task in one transaction: what a constraint refuses undoes everything. Undefined: there are too many for
 * that, and nothing is written.
 */
export async function runNow(
  { pool, feed, writers, apply }: RunParts,
  task: BulkTask,
  expected: number | undefined,
): Promise<Tally | undefined> {
  const max = countAtOnce(task, writers);
  const done = await withRetriedTransaction(pool, async (client) => {
    const outcomes = await apply(client, task, { limit: max + 1 });
    // Rows came between the count and the write. What is written so far goes with the transaction.
    if (outcomes.length > max) throw new TooManyRows();
    const states = toTally(task, outcomes);
    checkExpected(states, expected);
    const written = outcomes.filter(({ state }) => state === "written").map(({ id }) => id);
    if (written.length > 0) {
      const type = task.operation === "delete" ? "deleted" : "updated";
      await notifyChange(client, task.model.key, toRowChange(type, written));
    }
    return { states, outcomes };
  }).catch((error: unknown) => {
    if (error instanceof TooManyRows) return undefined;
    throw error;
  });
  if (!done) return undefined;
  writers.get(task.model.key)?.committed();
  feed.announce(task.model.key);
  for (const { afterCommit } of done.outcomes) await afterCommit?.();
  return done.states;
}

class TooManyRows extends Error {}
