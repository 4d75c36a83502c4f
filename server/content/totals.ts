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

async function measureTotal(
  db: Queryable,
  model: Model,
  query: Pick<ListQuery, "search" | "filters">,
): Promise<Total> {
  const { add, values } = createParameters();
  const where = whereSql(model, query, add);
  const counted = await countBounded(db, model, where, values);
  if (counted <= COUNTED_MAX) return { count: counted, isEstimate: false };
  const estimate = await readEstimate(db, model, where, values);
  return { count: Math.max(estimate, counted), isEstimate: true };
}

/** Totals of whole tables are kept for seconds, and dropped when the table changes if they were counted. */
export function createTotals(db: Queryable, feed: ChangeFeed): Totals {
  const cache = new LRUCache<string, Total>({ max: 500, ttl: CACHE_TTL_MS });
  feed.subscribe((modelKey) => {
    if (modelKey === undefined) cache.clear();
    else if (!cache.get(modelKey)?.isEstimate) cache.delete(modelKey);
  });
  return {
    async get(model, query) {
      const isWhole = query.search === "" && query.filters.length === 0 && feed.isLive();
      const known = isWhole ? cache.get(model.key) : undefined;
      if (known) return known;
      const total = await measureTotal(db, model, query);
      if (isWhole) cache.set(model.key, total);
      return total;
    },
  };
}
