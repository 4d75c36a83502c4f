import type { FilterOperator } from "#contract/content/models.ts";
import type { AbortableQueries } from "#server/db/abortable-queries.ts";
import { type Condition, rulesFor } from "#server/models/model.ts";
import type { ModelView } from "../records/access.ts";
import { type Counted, type CountPool, countAll, countBounded, estimate, sample } from "./count-store.ts";
import type { Scope } from "./query.ts";

/** How many rows a list has in all. */
export interface Total {
  count: number;
  isEstimate: boolean;
}

/** Up to here a total is counted. */
export const COUNTED_MAX = 10_000;
/** Where the planner can't judge a condition, counting goes further before a sample stands for it. */
const COUNTED_UNESTIMABLE_MAX = 50_000;
/** An estimate above this stands without a count: what it is wrong by doesn't bring it near `COUNTED_MAX`. */
const SMALL_MAX = 50_000;
/** A list waits no longer for a number. */
const COUNT_LIMIT_MS = 100;
const SAMPLE_LIMIT_MS = 200;
/** A caller that asks for the exact number waits this long. */
const EXACT_LIMIT_MS = 5_000;
/** A first look, which is enough where so large a share matches. */
const QUICK = { rows: 24_000, every: 8 };
const QUICK_SHARE = 0.1;
const THOROUGH_ROWS = 24_000;
const THOROUGH_SHARE = 0.04;

/** A total whose statistics say little: counted where that is quick, else from a sample of the table. */
async function measureUnestimable(
  pool: CountPool,
  counted: Counted,
  planned: number,
  patience: number,
): Promise<Total> {
  const all = await estimate(pool, { ...counted, where: "", values: [] });
  const isLarge = all > COUNTED_UNESTIMABLE_MAX;
  const quick = isLarge
    ? await sample(pool, counted, { all, ...QUICK }, SAMPLE_LIMIT_MS * patience)
    : undefined;
  if (quick && quick.share >= QUICK_SHARE && quick.count > COUNTED_UNESTIMABLE_MAX)
    return { count: quick.count, isEstimate: true };
  const count = await countBounded(pool, counted, COUNTED_UNESTIMABLE_MAX, COUNT_LIMIT_MS * patience);
  if (count !== undefined && count <= COUNTED_UNESTIMABLE_MAX) return { count, isEstimate: false };
  const rows = Math.max(THOROUGH_ROWS, THOROUGH_SHARE * all);
  const thorough = await sample(pool, counted, { all, rows, every: 1 }, SAMPLE_LIMIT_MS * patience);
  const guess = (thorough ?? quick)?.count ?? planned;
  return { count: Math.max(guess, count ?? 0), isEstimate: true };
}

/** A total in little time: the planner's estimate where it is large and to be believed, a count where it is small. */
export async function measureTotal(
  pool: CountPool,
  counted: Counted,
  canEstimate: boolean,
  patience = 1,
): Promise<Total> {
  const planned = await estimate(pool, counted);
  if (!canEstimate) return measureUnestimable(pool, counted, planned, patience);
  if (planned > SMALL_MAX) return { count: planned, isEstimate: true };
  const count = await countBounded(pool, counted, COUNTED_MAX, COUNT_LIMIT_MS * patience);
  if (count !== undefined && count <= COUNTED_MAX) return { count, isEstimate: false };
  // What the statistics call small and is not: they are older than the rows.
  if (planned <= COUNTED_MAX) return measureUnestimable(pool, counted, planned, patience);
  return { count: Math.max(planned, count ?? 0), isEstimate: true };
}

interface ExactOptions {
  patience?: number;
  limitMs?: number;
  abandoned: AbortSignal;
}

/** The exact total; where that takes too long, what `measureTotal` says. */
export async function measureExact(
  pool: CountPool,
  queries: Pick<AbortableQueries, "selectRows" | "inSlot">,
  counted: Counted,
  canEstimate: boolean,
  { patience = 1, limitMs = EXACT_LIMIT_MS, abandoned }: ExactOptions,
): Promise<Total> {
  const count = await countAll(queries, counted, limitMs * patience, abandoned);
  if (count !== undefined) return { count, isEstimate: false };
  return queries.inSlot(() => measureTotal(pool, counted, canEstimate, patience), abandoned);
}

/** Operators for which the planner can estimate a share from a column's statistics. */
const PLAIN: ReadonlySet<FilterOperator> = new Set([
  "exact",
  "in",
  "isnull",
  "range",
  "gt",
  "gte",
  "lt",
  "lte",
]);

function isPlain(condition: Condition): boolean {
  if (condition.type !== "field") return condition.type === "me";
  const { field, operator } = condition;
  return PLAIN.has(operator) && field.column !== null && !field.kind.columnTypes.includes("jsonb");
}

/**
 * Whether the planner's estimate is to be believed: no more than one condition, on a column that it keeps statistics of.
 * Of patterns it knows little, and several conditions it takes for independent.
 */
export function isEstimable({ model, level }: ModelView, scope: Scope): boolean {
  const rules = rulesFor(model, "view", level).map((rule) => rule.where);
  const conditions = scope.where ? [...rules, scope.where] : rules;
  return scope.search === "" && conditions.length <= 1 && conditions.every(isPlain);
}
