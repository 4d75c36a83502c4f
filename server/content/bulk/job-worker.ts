import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { runForRequest } from "#server/base/actor.ts";
import type { Lease, Leases } from "#server/db/leases/lease.ts";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { type JobDeps, type JobPace, runJob } from "./job-run.ts";
import { type BegunJob, beginJob, finishJob, type JobRow, selectJob, selectUnfinished } from "./job-store.ts";

/** A table's statistics are made anew where a job wrote more than this share of its rows. */
const CHANGED_SHARE = 0.1;

/** Totals and plans go by statistics: autovacuum makes them within minutes, and lists after a job are asked for at once. */
async function refreshStatistics(
  db: Queryable,
  registry: Pick<Registry, "byContentTypeId">,
  job: { id: string; content_type_id: number },
): Promise<void> {
  const model = registry.byContentTypeId.get(job.content_type_id);
  if (!model) return;
  const table = quoteName(model.table);
  const { rows } = await db.query(
    `SELECT 1 FROM content_job j, pg_class c
     WHERE j.id = $1 AND j.finished_at IS NOT NULL AND c.oid = $2::regclass AND j.affected_count > $3 * greatest(c.reltuples, 0)`,
    [job.id, table, CHANGED_SHARE],
  );
  if (rows.length > 0) await db.query(`ANALYZE ${table}`);
}

/** After each step the worker rests for this share of the time that it took, so that others' requests go on. */
const REST_SHARE = 0.2;
const REST_MAX_MS = 1_000;
/** A job that failed is looked at again after this. */
const AGAIN_MS = 1_000;
/** Where there are other processes: one of them may have died, with a job in hand or in line. */
const LOOK_EVERY_MS = 5_000;
/** A job whose steps fail this often one after another is given up. */
const TRIES_MAX = 5;
/** Others hold the rows of a step, or waited for them too: however often that is, the job can still be done. */
const PASSING: readonly unknown[] = ["55P03", "40P01", "40001"];

export interface JobWorker {
  /** Takes up what a process before left, and works on what comes. */
  start(): void;
  /** A job was put in line. */
  wake(): void;
  /** Ends after the step at hand; the job stays, to be taken up again. */
  close(): Promise<void>;
}

export interface WorkerDeps extends JobDeps {
  pool: pg.Pool;
  leases: Pick<Leases, "claim" | "isShared">;
  log: { error(details: object, message: string): void };
  lookEveryMs?: number;
}

/** Does work for the request that put a job in line. */
const asItsRequest = <Answer>(job: JobRow, work: () => Answer) =>
  runForRequest(job.request_id ?? undefined, work, true);

/** What came of a look: a job was worked on, there is none, another process has it, or it failed and is tried again. */
type Look = "worked" | "nothing" | "held" | "failed";

/** The worker of a process: one job at a time, under a lease. */
export function createJobWorker(deps: WorkerDeps): JobWorker {
  const { pool, leases, log, lookEveryMs = LOOK_EVERY_MS } = deps;
  const closing = new AbortController();
  const tries = new Map<string, { doneCount: number; count: number }>();
  let working: Promise<void> | undefined;
  let isAskedAgain = false;
  let timer: NodeJS.Timeout | undefined;

  const toPace = (lease: Lease): JobPace => ({
    isStopping: () => closing.signal.aborted || !lease.isHeld(),
    rest: (stepMs) =>
      sleep(Math.min(stepMs * REST_SHARE, REST_MAX_MS), undefined, { signal: closing.signal }).catch(
        () => undefined, // woken by the stop
      ),
  });

  /** Counts failures since the last progress. */
  async function noteFailure({ id, fence }: BegunJob, error: unknown): Promise<void> {
    log.error({ err: error, job: id }, "a step of a bulk job failed");
    if (error instanceof Error && "code" in error && PASSING.includes(error.code)) return;
    const job = await selectJob(pool, id);
    if (!job) return;
    const before = tries.get(id);
    const count = before && before.doneCount === job.done_count ? before.count + 1 : 1;
    tries.set(id, { doneCount: job.done_count, count });
    if (count < TRIES_MAX) return;
    tries.delete(id);
    await finishJob(pool, { id, fence }, "failed", "internal");
  }

  async function workOn(id: string, lease: Lease): Promise<Look> {
    const client = await pool.connect();
    let broken: Error | undefined;
    let job: JobRow | undefined;
    try {
      const begun = await beginJob(client, id);
      job = begun;
      if (begun)
        await asItsRequest(begun, async () => {
          await runJob(client, deps, begun, toPace(lease));
          await refreshStatistics(client, deps.registry, begun);
        });
      return "worked";
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
    } finally {
      client.release(broken);
    }
    const failed = job;
    if (failed) await asItsRequest(failed, () => noteFailure(failed, broken));
    else log.error({ err: broken, job: id }, "a bulk job can't be taken up now");
    return "failed";
  }

  /** Works on a job if nobody else does. */
  async function tryJob(id: string): Promise<Look> {
    const lease = await leases.claim(`bulk job ${id}`);
    if (!lease) return "held";
    try {
      return await workOn(id, lease);
    } finally {
      await lease
        .giveUp()
        .catch((error: unknown) =>
          log.error({ err: error, job: id }, "a bulk job is not given up before its lease ends"),
        );
    }
  }

  async function look(): Promise<Look> {
    let found: Look = "nothing";
    for (const id of await selectUnfinished(pool)) {
      if (closing.signal.aborted) return "nothing";
      const outcome = await tryJob(id);
      if (outcome === "worked") return outcome;
      if (found !== "failed") found = outcome;
    }
    return found;
  }

  async function work(): Promise<void> {
    let found: Look;
    do {
      isAskedAgain = false;
      found = await look();
    } while (!closing.signal.aborted && (found === "worked" || isAskedAgain));
    if (closing.signal.aborted) return;
    if (found === "failed") timer = setTimeout(wake, AGAIN_MS).unref();
    else if (leases.isShared) timer = setTimeout(wake, lookEveryMs).unref();
  }

  function wake(): void {
    if (closing.signal.aborted) return;
    clearTimeout(timer);
    isAskedAgain = true;
    working ??= work()
      .catch((error: unknown) => {
        log.error({ err: error }, "the list of bulk jobs could not be read");
        if (!closing.signal.aborted) timer = setTimeout(wake, AGAIN_MS).unref();
      })
      .finally(() => {
        working = undefined;
        // Asked between the last look and this moment.
        if (isAskedAgain) wake();
      });
  }

  return {
    start: wake,
    wake,
    async close() {
      closing.abort();
      clearTimeout(timer);
      await working;
    },
  };
}
