import type pg from "pg";
import type { BulkRequest } from "#contract/bulk.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { quoteName } from "../../db/sql.ts";
import type { JobRow } from "./job-store.ts";
import { judgeRows } from "./judge.ts";
import { insertJob, JOBS_MAX } from "./line-store.ts";
import type { Tally } from "./refusals.ts";
import { countTargets } from "./refusals.ts";
import { checkExpected } from "./run-now.ts";
import { NO_SNAPSHOT } from "./snapshot.ts";
import type { BulkTask } from "./task.ts";

/** Puts a task in line as a job. Rows that are made from now on are left alone. @throws AppError count_changed, too_many_jobs. */
export async function enqueueTask(
  pool: pg.Pool,
  task: BulkTask,
  request: BulkRequest,
): Promise<{ job: JobRow; states: Tally }> {
  const { actor, model, reader } = task;
  const { userId } = actor;
  if (userId === null) throw new AppError("not_authenticated");
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ max_id: number }>(
      `SELECT coalesce(max(id), 0)::float8 AS max_id FROM ${quoteName(model.table)}`,
    );
    const { max_id = 0 } = rows[0] ?? {};
    const states = await judgeRows(client, task);
    checkExpected(states, request.expected_count);
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
        total_count: countTargets(states),
      },
      JOBS_MAX,
    );
    if (!job) throw new AppError("too_many_jobs");
    return { job, states };
  });
}
