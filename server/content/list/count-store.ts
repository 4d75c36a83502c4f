import type pg from "pg";
import type { AbortableQueries } from "#server/db/abortable-queries.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Model } from "#server/models/model.ts";
import { ALIAS, fromSql } from "../records/record-sql.ts";

/** Rows that are counted: `where` is `WHERE …` over `t`, or empty. */
export interface Counted {
  model: Model;
  where: string;
  values: unknown[];
}

/** The parts of a pool that counting needs. */
export type CountPool = Pick<pg.Pool, "query" | "connect">;

const CANCELLED = "57014";

/** First row of a statement that PostgreSQL ends after a time; undefined: it did. */
export async function selectWithin(
  pool: CountPool,
  limitMs: number,
  text: string,
  values: unknown[],
): Promise<string[] | undefined> {
  try {
    return await withTransaction(
      pool,
      async (client) => (await client.query<string[]>({ text, values, rowMode: "array" })).rows[0],
      `BEGIN READ ONLY; SET LOCAL statement_timeout = ${limitMs}`,
    );
  } catch (error) {
    if ((error as { code?: string }).code === CANCELLED) return undefined; // pg's errors have a code
    throw error;
  }
}

/** SQL of the number of rows, counted up to one more than `max`. */
export function boundedCountSql({ model, where }: Omit<Counted, "values">, max: number): string {
  return `SELECT count(*) FROM (SELECT ${fromSql(model)} ${where} LIMIT ${max + 1}) counted`;
}

/** Counts up to one more than `max`; undefined: not within the time. */
export async function countBounded(
  pool: CountPool,
  counted: Counted,
  max: number,
  limitMs: number,
): Promise<number | undefined> {
  const row = await selectWithin(pool, limitMs, boundedCountSql(counted, max), counted.values);
  return row && Number(row[0]);
}

/** Counts every row; undefined: not within the time. @throws pg's 57014 where `abandoned` is aborted before that. */
export async function countAll(
  queries: Pick<AbortableQueries, "selectRows">,
  { model, where, values }: Counted,
  limitMs: number,
  abandoned: AbortSignal,
): Promise<number | undefined> {
  const limit = AbortSignal.timeout(limitMs);
  const text = `SELECT count(*) ${fromSql(model)} ${where}`;
  try {
    const [row] = await queries.selectRows({ text, values }, AbortSignal.any([limit, abandoned]));
    return Number(row?.[0]);
  } catch (error) {
    if (limit.aborted && !abandoned.aborted) return undefined;
    throw error;
  }
}

interface PlanRow {
  "QUERY PLAN": [{ Plan: { "Plan Rows": number } }];
}

/** The planner's estimate, from its statistics alone. */
export async function estimate(pool: CountPool, { model, where, values }: Counted): Promise<number> {
  const { rows } = await pool.query<PlanRow>(
    `EXPLAIN (FORMAT JSON) SELECT ${fromSql(model)} ${where}`,
    values,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

/** What a sample says. */
export interface Sample {
  count: number;
  /** Share of the rows that match. */
  share: number;
}

/** Which rows a sample looks at: whole blocks that hold about so many of a table's rows, and every so many of these. */
export interface SampleSize {
  all: number;
  rows: number;
  every: number;
}

/**
 * Looks at a part of the table, the same one each time; undefined: not within the time. Rows that were written together
 * stand together: a few from each of many blocks say more than all from few.
 */
export async function sample(
  pool: CountPool,
  { model, where, values }: Counted,
  { all, rows, every }: SampleSize,
  limitMs: number,
): Promise<Sample | undefined> {
  const percent = Math.min(100, (100 * rows) / Math.max(all, 1));
  const condition = where.replace(/^WHERE /, "") || "true";
  const row = await selectWithin(
    pool,
    limitMs,
    `SELECT count(*) FILTER (WHERE ${condition}), count(*) ${fromSql(model)} TABLESAMPLE SYSTEM (${percent}) REPEATABLE (1)
     WHERE hashint8(${ALIAS}.id) % ${every} = 0`,
    values,
  );
  const [matching = 0, looked = 0] = (row ?? []).map(Number);
  if (looked === 0) return undefined;
  return { count: Math.round((matching / looked) * all), share: matching / looked };
}
