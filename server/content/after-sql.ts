import type { AddParameter } from "#server/models/model.ts";
import type { KeyValues, SortKey } from "./sort-keys.ts";

/** SQL of a part of the rows behind a cursor, parameters added; undefined: every row. */
export type Phase = (add: AddParameter) => string | undefined;

interface Bound extends SortKey {
  value: string | null;
}

const SIGNS = { asc: ">", desc: "<" } as const;

/** Rows whose key comes later than the bound's value: NULL is behind all others. */
function laterSql({ sql, direction, mayBeNull, value }: Bound, add: AddParameter): string {
  if (value === null) return "false";
  const later = `${sql} ${SIGNS[direction]} ${add(value)}`;
  return mayBeNull ? `(${later} OR ${sql} IS NULL)` : later;
}

function equalSql({ sql, value }: Bound, add: AddParameter): string {
  return value === null ? `${sql} IS NULL` : `${sql} = ${add(value)}`;
}

/** Whether `(a, b) > (x, y)` says it: one direction, and no NULL, with which a comparison is not true. */
function isRowComparison(bounds: readonly Bound[]): boolean {
  const [first] = bounds;
  return bounds.every((bound) => !bound.mayBeNull && bound.direction === first?.direction);
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
  return !first.mayBeNull
    ? `${first.sql} ${SIGNS[first.direction]}= ${add(first.value)} AND ${behind}`
    : behind;
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
  if (first.value === null) return [(add) => `${isNull} AND ${behindSql(rest, add)}`];
  return [(add) => behindSql(sure, add), () => isNull];
}

/** From the start: one part, all rows. */
export const FROM_START: readonly Phase[] = [() => undefined];
