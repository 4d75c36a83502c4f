import type pg from "pg";
import { AppError } from "#server/base/errors.ts";
import { createParameters } from "../records/record-sql.ts";
import { toWriteError } from "../write/database-faults.ts";
import type { ApplyRows, RowOutcome } from "./apply.ts";
import { recordsSql } from "./rows-sql.ts";
import type { BulkTask } from "./task.ts";

async function toFaultOutcome(
  client: pg.PoolClient,
  task: BulkTask,
  id: number,
  fault: AppError,
): Promise<RowOutcome> {
  const { add, values } = createParameters();
  const { rows } = await client.query<{ repr: string }>(recordsSql(task, [id], add), values);
  return { id, repr: rows[0]?.repr ?? `#${id}`, state: fault.fields[0]?.code ?? fault.code, isFault: true };
}

/** Writes rows; where a constraint refuses, halves of them, down to the rows at fault. */
export async function applyParts(
  client: pg.PoolClient,
  apply: ApplyRows,
  task: BulkTask,
  ids: readonly number[],
): Promise<RowOutcome[]> {
  await client.query("SAVEPOINT bulk_part");
  try {
    const outcomes = await apply(client, task, { within: ids });
    await client.query("RELEASE SAVEPOINT bulk_part");
    return outcomes;
  } catch (error) {
    const fault = toWriteError(error, task.model, task.operation === "delete" ? "delete" : "write");
    if (!(fault instanceof AppError) || fault.status >= 500 || ids.length === 0) throw error;
    await client.query("ROLLBACK TO SAVEPOINT bulk_part; RELEASE SAVEPOINT bulk_part");
    const [first] = ids;
    if (ids.length === 1 && first !== undefined) return [await toFaultOutcome(client, task, first, fault)];
    const middle = Math.ceil(ids.length / 2);
    const before = await applyParts(client, apply, task, ids.slice(0, middle));
    return [...before, ...(await applyParts(client, apply, task, ids.slice(middle)))];
  }
}
