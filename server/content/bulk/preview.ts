import type pg from "pg";
import type { BulkPreview } from "#contract/content/bulk.ts";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import type { Dependents } from "#contract/content/objects.ts";
import type { Language } from "#contract/languages.ts";
import { toChanges } from "#server/audit/service.ts";
import { withRollback } from "#server/db/transaction.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { countDependents } from "../about/dependents.ts";
import { createParameters } from "../records/record-sql.ts";
import { SECRET } from "../write/audit-sql.ts";
import {
  type ApplyRows,
  applyParts,
  countAtOnce,
  type RowOutcome,
  WRITER_ROWS,
  type Writers,
} from "./apply.ts";
import { countOf, countTargets, type Tally, tally, toRefusals } from "./refusals.ts";
import { judgeRows, recordsSql, selectIds, selectSnapshot, writtenRowsSql } from "./rows-sql.ts";
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

/** Declared fields in which two states of a row differ; secrets masked as in the log, moments that every write sets left out. */
function toSample({ view }: BulkTask, before: ModelRecord, after: Partial<ModelRecord>): Sample {
  const shown = view.fields.filter(({ name }) => !(view.model.hasTimestamps && name === "updated_at"));
  const pick = (record: Partial<ModelRecord>) =>
    Object.fromEntries(shown.filter(({ name }) => name in record).map(({ name }) => [name, record[name]]));
  const changes = toChanges(pick(before), pick(after));
  const mask = (value: unknown) => (value === null || value === undefined ? value : SECRET);
  for (const { name, isSecret } of shown) {
    const change = changes[name];
    if (isSecret && change) changes[name] = { before: mask(change.before), after: mask(change.after) };
  }
  return { id: before.id, repr: before.repr, changes };
}

/**
 * Writes some rows by `write` and tells how they look before and after. The caller rolls back: what is told is what will be.
 */
async function takeSamples(
  client: pg.PoolClient,
  task: BulkTask,
  ids: readonly number[],
  write: () => Promise<readonly RowOutcome[]>,
): Promise<{ samples: Sample[]; outcomes: readonly RowOutcome[] }> {
  const looked = ids.slice(0, LOOKED_AT_MAX);
  const before = await selectRecords(client, task, looked);
  const outcomes = await write();
  const written = outcomes.filter(({ verdict }) => verdict.type === "written").map(({ id }) => id);
  const after = task.operation === "delete" ? new Map() : await selectRecords(client, task, looked);
  const samples = written.flatMap((id) => {
    const record = before.get(id);
    return record ? [toSample(task, record, after.get(id) ?? {})] : [];
  });
  return { samples, outcomes };
}

export interface PreviewDeps {
  pool: pg.Pool;
  writers: Writers;
  apply: ApplyRows;
  registry: Registry;
  /** Factor on `REHEARSAL_MS`. */
  patience?: number | undefined;
}

/** After it no further part is rehearsed. Rows are locked meanwhile, a part of them at a time. */
const REHEARSAL_MS = 5_000;

const LOOK = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/** Rows that are written in the rehearsal: those whose outcome only their writer knows, or as many as are shown. */
function countRehearsed(task: BulkTask, writers: Writers): number {
  return writers.has(task.model.key) ? ADMIN_LIMITS.bulkRowsMax : ADMIN_LIMITS.bulkSamplesMax;
}

/**
 * What the rehearsal found to be refused is taken from the rows that would be written. A job asks each row's own rules only as it
 * goes: what it is begun with is the number of rows that it will try.
 */
function withRehearsed(judged: Tally, refused: readonly RowOutcome[], isJob: boolean): Tally {
  const groups = judged.map((group) =>
    group.verdict.type === "written" && !isJob ? { ...group, count: group.count - refused.length } : group,
  );
  return [...groups, ...tally(refused)];
}

/** What a deletion of a task's rows would take along; what belongs to refused ones stays. */
async function findDependents(
  client: pg.PoolClient,
  registry: Registry,
  task: BulkTask,
  refused: readonly RowOutcome[],
): Promise<Dependents[]> {
  if (task.operation !== "delete") return [];
  const { add, values } = createParameters();
  const { model, reader } = task;
  const ids = refused.map(({ id }) => id);
  return countDependents(client, { model, registry, reader }, writtenRowsSql(task, ids, add), values);
}

/**
 * Writes rows to see what comes of them. Rows that go need no trial, unless a subject has rules of its own; what refers to
 * them is counted. A job lists the rows that a constraint refuses; without one, the constraint refuses all.
 */
async function rehearse(
  client: pg.PoolClient,
  { apply, writers }: PreviewDeps,
  task: BulkTask,
  { ids, isJob }: { ids: readonly number[]; isJob: boolean },
): Promise<readonly RowOutcome[]> {
  if (task.operation === "delete" && !writers.has(task.model.key))
    return ids.map((id) => ({ id, repr: "", verdict: { type: "written" } }));
  return isJob || task.operation === "delete"
    ? applyParts(client, apply, task, ids)
    : apply(client, task, { within: ids });
}

type Rehearsed = Awaited<ReturnType<typeof takeSamples>>;

/** Rows that take long are rehearsed in parts, each in a transaction of its own, and as many of them as there is time for. */
async function rehearseAll(
  deps: PreviewDeps,
  task: BulkTask,
  { ids, isJob }: { ids: readonly number[]; isJob: boolean },
): Promise<Rehearsed> {
  const size = deps.writers.has(task.model.key) ? WRITER_ROWS : ADMIN_LIMITS.bulkRowsMax;
  const end = performance.now() + REHEARSAL_MS * (deps.patience ?? 1);
  const first = ids.slice(0, size);
  const { samples, outcomes } = await withRollback(deps.pool, (client) =>
    takeSamples(client, task, first, () => rehearse(client, deps, task, { ids: first, isJob })),
  );
  const all = [...outcomes];
  for (let start = size; start < ids.length && performance.now() < end; start += size) {
    const part = { ids: ids.slice(start, start + size), isJob };
    all.push(...(await withRollback(deps.pool, (client) => rehearse(client, deps, task, part))));
  }
  return { samples, outcomes: all };
}

/**
 * What a task would do: the number, exact where there was time to rehearse every row that has rules of its own, what is refused and why, and rows as they would be, taken from a rehearsal that is
 * rolled back. A constraint that would undo all of it is thrown as it would be then.
 */
export async function previewTask(deps: PreviewDeps, task: BulkTask, lang: Language): Promise<BulkPreview> {
  const { pool, writers, registry } = deps;
  const snapshot = await selectSnapshot(pool);
  const looked = await withRollback(
    pool,
    async (client) => ({
      groups: await judgeRows(client, task),
      ids: await selectIds(client, task, "written", countRehearsed(task, writers)),
    }),
    LOOK,
  );
  const isJob = !("ids" in task.rows) && countTargets(looked.groups) > countAtOnce(task, writers);
  const rehearsed = await rehearseAll(deps, task, { ids: looked.ids, isJob });
  const refused = rehearsed.outcomes.filter(({ verdict }) => verdict.type !== "written");
  const groups = withRehearsed(looked.groups, refused, isJob);
  const isUntried =
    writers.has(task.model.key) && rehearsed.outcomes.length < countOf(looked.groups, "written");
  const dependents = await withRollback(
    pool,
    (client) => findDependents(client, registry, task, refused),
    LOOK,
  );
  return {
    count: countOf(groups, "written"),
    count_is_estimate: isUntried || (isJob && refused.length > 0),
    snapshot,
    refusals: toRefusals(groups, lang),
    samples: rehearsed.samples.slice(0, ADMIN_LIMITS.bulkSamplesMax),
    dependents,
    is_job: isJob,
  };
}
