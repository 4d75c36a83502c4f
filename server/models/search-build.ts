import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { inTransaction } from "#server/db/transaction.ts";
import { markSearchReady } from "./filter-sql.ts";
import type { Model } from "./model.ts";
import type { Registry } from "./registry/registry.ts";
import {
  analyzeColumn,
  beginBuild,
  buildIndex,
  fillAll,
  fillBatch,
  hasColumnAndTrigger,
  hasGap,
  hasMoreRows,
  markBuilt,
  selectState,
  toBuildExpression,
  tryLock,
} from "./search-build-store.ts";

/** Up to here one transaction does it all: writers wait about a second. */
const SMALL_TABLE_ROWS = 50_000;
const BATCH_ROWS = 5_000;
/** Between batches, so that other work gets its turn. */
const PAUSE_MS = 50;
/** After a fault, and while another process builds. */
const RETRY_MS = 5_000;

export interface SearchBuildLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface SearchBuildOptions {
  pool: pg.Pool;
  registry: Pick<Registry, "models">;
  log: SearchBuildLog;
  /** For tests. `pause` is waited for after each batch. */
  pace?: { smallTableRows?: number; batchRows?: number; pause?: () => Promise<unknown>; retryMs?: number };
}

/** Builds in the background. */
export interface SearchBuilds {
  /** Resolves when every column is ready or `close` was called; never rejects. */
  done: Promise<void>;
  /** Ends after the batch at hand; the next start goes on from there. An index that is being built is given up. */
  close(): Promise<void>;
}

async function isWhole(client: pg.PoolClient, model: Model): Promise<"new" | "begun" | "ready"> {
  const state = await selectState(client, model);
  const isSame = state?.expression === toBuildExpression(model) && (await hasColumnAndTrigger(client, model));
  if (!isSame) return "new";
  return state?.isReady ? "ready" : "begun";
}

async function buildSmall(client: pg.PoolClient, model: Model): Promise<void> {
  await inTransaction(client, async () => {
    await beginBuild(client, model);
    await fillAll(client, model);
    await buildIndex(client, model, "");
    await markBuilt(client, model);
  });
}

async function fill(client: pg.PoolClient, model: Model, options: SearchBuildOptions, stop: AbortSignal) {
  const { batchRows = BATCH_ROWS, pause = () => sleep(PAUSE_MS) } = options.pace ?? {};
  let last: number | undefined = (await selectState(client, model))?.lastId ?? 0;
  while (last !== undefined && !stop.aborted) {
    const after: number = last;
    last = await inTransaction(client, () => fillBatch(client, model, after, batchRows));
    if (last !== undefined) await pause();
  }
}

async function buildLarge(
  client: pg.PoolClient,
  model: Model,
  options: SearchBuildOptions,
  stop: AbortSignal,
): Promise<void> {
  await fill(client, model, options, stop);
  if (stop.aborted) return;
  // Ids below the last one that were given, and committed, after it was passed have their text from the trigger. To be sure:
  if (await hasGap(client, model)) await fillAll(client, model);
  await buildIndex(client, model, "CONCURRENTLY");
  await markBuilt(client, model);
}

/** True when the column is ready; false while another process builds it, or when it was stopped. */
async function build(client: pg.PoolClient, model: Model, options: SearchBuildOptions, stop: AbortSignal) {
  const { pace, log } = options;
  if ((await isWhole(client, model)) === "ready") return true;
  if (!(await tryLock(client, model))) return false;
  // Another process may have finished between the two questions.
  const found = await isWhole(client, model);
  if (found === "ready") return true;
  const startedAt = performance.now();
  log.info({ table: model.table }, "the search column is being built");
  const isLarge = await hasMoreRows(client, model, pace?.smallTableRows ?? SMALL_TABLE_ROWS);
  if (isLarge) {
    if (found === "new") await inTransaction(client, () => beginBuild(client, model));
    await buildLarge(client, model, options, stop);
    if (stop.aborted) return false;
  } else {
    await buildSmall(client, model);
  }
  await analyzeColumn(client, model);
  log.info(
    { table: model.table, ms: Math.round(performance.now() - startedAt) },
    "the search column is ready",
  );
  return true;
}

/** On a connection of its own, which is closed afterwards: its lock and its settings end with it. */
async function attempt(model: Model, options: SearchBuildOptions, stop: AbortSignal): Promise<boolean> {
  const client = await options.pool.connect();
  let isReleased = false;
  const release = () => {
    if (!isReleased) client.release(true);
    isReleased = true;
  };
  // Nobody waits for an index that is being built: PostgreSQL ends it by itself, or leaves one that the next start drops.
  stop.addEventListener("abort", release, { once: true });
  if (stop.aborted) release();
  try {
    // An index that is built beside writers waits for each of their transactions to end.
    await client.query("SET statement_timeout = 0; SET lock_timeout = 0");
    return await build(client, model, options, stop);
  } finally {
    stop.removeEventListener("abort", release);
    release();
  }
}

/** False: it is to be tried again, after a fault or because another process is at it. */
async function tryModel(model: Model, options: SearchBuildOptions, stop: AbortSignal): Promise<boolean> {
  try {
    const isReady = await attempt(model, options, stop);
    if (isReady) markSearchReady(model);
    return isReady;
  } catch (error) {
    if (!stop.aborted)
      options.log.warn(
        { err: error, table: model.table },
        "building the search column failed; it is tried again",
      );
    return false;
  }
}

/**
 * Builds the search columns of models that say `searchIsBuilt`, one after the other, and goes on where an earlier process
 * ended. Until a column is ready searches read the expression (`searchedSql`).
 */
export function startSearchBuilds(options: SearchBuildOptions): SearchBuilds {
  const controller = new AbortController();
  const { signal } = controller;
  const work = async () => {
    let models = options.registry.models.filter((model) => model.searchIsBuilt && model.isSearchable);
    while (models.length > 0 && !signal.aborted) {
      const left: Model[] = [];
      for (const model of models) if (!(await tryModel(model, options, signal))) left.push(model);
      models = left;
      if (left.length > 0)
        await sleep(options.pace?.retryMs ?? RETRY_MS, undefined, { signal }).catch(() => undefined); // stopped
    }
  };
  const done = work();
  return {
    done,
    async close() {
      controller.abort();
      await done;
    },
  };
}
