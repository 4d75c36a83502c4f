import type pg from "pg";
import type { BulkPreview } from "#contract/bulk.ts";
import type { ModelRecord } from "#contract/models.ts";
import { toChanges } from "#server/audit/service.ts";
import { createParameters } from "../records/record-sql.ts";
import { SECRET } from "../write/changes-sql.ts";
import type { RowOutcome } from "./apply.ts";
import { recordsSql } from "./rows-sql.ts";
import type { BulkTask } from "./task.ts";

/** Of more rows than are shown: some of them may be refused. */
const LOOKED_AT_MAX = 100;

type Sample = BulkPreview["samples"][number];

async function selectRecords(
  client: pg.PoolClient,
  task: BulkTask,
  ids: readonly number[],
): Promise<Map<number, ModelRecord>> {
  if (ids.length === 0) return new Map();
  const { add, values } = createParameters();
  const { rows } = await client.query<ModelRecord>(recordsSql(task, ids, add), values);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Declared fields in which two states of a row differ; secrets masked, moments that every write sets left out. */
function toSample({ view }: BulkTask, before: ModelRecord, after: Partial<ModelRecord>): Sample {
  const shown = view.fields.filter(({ name }) => !(view.model.hasTimestamps && name === "updated_at"));
  const pick = (record: Partial<ModelRecord>) =>
    Object.fromEntries(shown.filter(({ name }) => name in record).map(({ name }) => [name, record[name]]));
  const changes = toChanges(pick(before), pick(after));
  for (const { name, isSecret } of shown) {
    if (isSecret && name in changes) changes[name] = { before: SECRET, after: SECRET };
  }
  return { id: before.id, repr: before.repr, changes };
}

/**
 * Writes some rows by `write` and tells how they look before and after. The caller rolls back: what is told is what will be.
 */
export async function takeSamples(
  client: pg.PoolClient,
  task: BulkTask,
  ids: readonly number[],
  write: () => Promise<readonly RowOutcome[]>,
): Promise<{ samples: Sample[]; outcomes: readonly RowOutcome[] }> {
  const looked = ids.slice(0, LOOKED_AT_MAX);
  const before = await selectRecords(client, task, looked);
  const outcomes = await write();
  const written = outcomes.filter(({ state }) => state === "written").map(({ id }) => id);
  const after = task.operation === "delete" ? new Map() : await selectRecords(client, task, looked);
  const samples = written.flatMap((id) => {
    const record = before.get(id);
    return record ? [toSample(task, record, after.get(id) ?? {})] : [];
  });
  return { samples, outcomes };
}
