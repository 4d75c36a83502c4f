import type { AddParameter } from "#server/models/model.ts";
import type { KeyValues } from "./cursor.ts";
import type { SortKey } from "./sort-keys.ts";

/** SQL of a part of the rows behind a cursor, parameters added; undefined: every row. */
export type Phase = (add: AddParameter) => string | undefined;

interface Bound extends SortKey {
  value: string | null;
}

const SIGNS = { asc: ">", desc: "<" } as const;

/** Rows whose key comes later than the bound's value, in the order in which NULL is the greatest. */
function laterSql({ sql, direction, mayBeNull, value }: Bound, add: AddParameter): string {
  if (value === null) return direction === "asc" ? "false" : `${sql} IS NOT NULL`;
  const later = `${sql} ${SIGNS[direction]} ${add(value)}`;
  return mayBeNull && direction === "asc" ? `(${later} OR ${sql} IS NULL)` : later;
}

function equalSql({ sql, value }: Bound, add: AddParameter): string {
  return value === null ? `${sql} IS NULL` : `${sql} = ${add(value)}`;
}

/**
 * Whether `(a, b) > (x, y)` says it: one direction, and no NULL that ought to be behind. A comparison with NULL is not true,
 * which is right going down, where NULL comes first.
 */
function isRowComparison(bounds: readonly Bound[]): boolean {
  const [first] = bounds;
  return bounds.every(
    (bound) =>
      bound.value !== null &&
      bound.direction === first?.direction &&
      (bound.direction === "desc" || !bound.mayBeNull),
  );
}

/** Rows behind the bounds: those that an index finds by one comparison, or key by key. */
function behindSql(bounds: readonly Bound[], add: AddParameter): string {
  const [first, ...rest] = bounds;
  if (!first) return "false";
  if (rest.length === 0) return laterSql(first, add);
  if (isRowComparison(bounds)) {
    const keys = bounds.map((bound) => bound.sql).join(", ");
    return `(${keys}) ${SIGNS[first.direction]} (${bounds.map((bound) => add(bound.value)).join(", ")})`;
  }
  const behind = `(${laterSql(first, add)} OR (${equalSql(first, add)} AND ${behindSql(rest, add)}))`;
  // The same once more, in a form that an index can begin at.
  const isFrom = first.value !== null && (first.direction === "desc" || !first.mayBeNull);
  return isFrom ? `${first.sql} ${SIGNS[first.direction]}= ${add(first.value)} AND ${behind}` : behind;
}

/**
 * The rows behind a cursor, in parts that follow each other, each of them a range of an index on the keys. Where the first
 * key may be NULL, those rows are a part of their own: no range holds both.
 */
export function toPhases(keys: readonly SortKey[], values: KeyValues): Phase[] {
  const bounds = keys.map((key, index): Bound => ({ ...key, value: values[index] ?? null }));
  const [first, ...rest] = bounds;
  if (!first?.mayBeNull) return [(add) => behindSql(bounds, add)];
  const isNull = `${first.sql} IS NULL`;
  const sure = [{ ...first, mayBeNull: false }, ...rest];
  if (first.value === null) {
    const others: Phase[] = first.direction === "asc" ? [] : [() => `${first.sql} IS NOT NULL`];
    return [(add) => `${isNull} AND ${behindSql(rest, add)}`, ...others];
  }
  const others: Phase[] = first.direction === "asc" ? [() => isNull] : [];
  return [(add) => behindSql(sure, add), ...others];
}

/** From the start: one part, all rows. */
export const FROM_START: readonly Phase[] = [() => undefined];
