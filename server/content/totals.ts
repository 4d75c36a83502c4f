import { LRUCache } from "lru-cache";
import type { ChangeFeed } from "#server/db/changes.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Model } from "#server/models/model.ts";
import { createParameters, fromSql, whereSql } from "./list-sql.ts";
import type { ListQuery } from "./query.ts";

/** Up to here a total is counted; above, the planner's estimate stands for it. */
const COUNTED_MAX = 10_000;
const CACHE_TTL_MS = 5_000;

/** How many rows a list has in all. */
export interface Total {
  count: number;
  isEstimate: boolean;
}

/** Totals of lists, never by counting a large table. */
export interface Totals {
  get(model: Model, query: Pick<ListQuery, "search" | "filters">): Promise<Total>;
}

async function countBounded(db: Queryable, model: Model, where: string, values: unknown[]): Promise<number> {
  const { rows } = await db.query<{ count: string }>(
    `SELECT count(*) FROM (SELECT ${fromSql(model)} ${where} LIMIT ${COUNTED_MAX + 1}) counted`,
    values,
  );
  return Number(rows[0]?.count ?? 0);
}

interface PlanRow {
  "QUERY PLAN": [{ Plan: { "Plan Rows": number } }];
}

async function readEstimate(db: Queryable, model: Model, where: string, values: unknown[]): Promise<number> {
  const { rows } = await db.query<PlanRow>(`EXPLAIN (FORMAT JSON) SELECT ${fromSql(model)} ${where}`, values);
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

async function measureTotal(db: Queryable, model: Model, where: string, values: unknown[]): Promise<Total> {
  const counted = await countBounded(db, model, where, values);
  if (counted <= COUNTED_MAX) return { count: counted, isEstimate: false };
  const estimate = await readEstimate(db, model, where, values);
  return { count: Math.max(estimate, counted), isEstimate: true };
}

/**
 * Totals are kept for seconds. A counted one goes as soon as its model changes, so that a list after a write is exact;
 * also one that was being counted while the change was told.
 */
export function createTotals(db: Queryable, feed: Pick<ChangeFeed, "subscribe" | "isLive">): Totals {
  const cache = new LRUCache<string, Total & { modelKey: string }>({ max: 500, ttl: CACHE_TTL_MS });
  let changes = 0;
  feed.subscribe((modelKey) => {
    changes += 1;
    for (const [key, total] of cache.entries()) {
      if (modelKey === undefined || (total.modelKey === modelKey && !total.isEstimate)) cache.delete(key);
    }
  });
  return {
    async get(model, query) {
      const { add, values } = createParameters();
      const where = whereSql(model, query, add);
      if (!feed.isLive()) return measureTotal(db, model, where, values);
      const key = JSON.stringify([model.key, where, values]);
      const known = cache.get(key);
      if (known) return known;
      const seen = changes;
      const total = await measureTotal(db, model, where, values);
      if (changes === seen || total.isEstimate) cache.set(key, { ...total, modelKey: model.key });
      return total;
    },
  };
}
