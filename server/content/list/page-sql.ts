import type { Language } from "#contract/languages.ts";
import type { Reader } from "#server/base/actor.ts";
import type { SortTerm } from "#server/models/declare.ts";
import { type AddParameter, type Field, type Model, maySortNull } from "#server/models/model.ts";
import type { ModelView } from "../records/access.ts";
import { ALIAS, createParameters, fromSql, recordSql } from "../records/record-sql.ts";
import { type Scope, scopeTerms } from "./query.ts";

/** Which of the rows of a scope: so many, behind others that are skipped, counted from one end. */
export interface Range {
  limit: number;
  skip: number;
  isFromEnd: boolean;
}

/** A statement that selects a page: the record's values in their order, then the sort keys as text. */
export interface PageStatement {
  text: string;
  values: unknown[];
}

/** Above, rows are looked up by id after an index alone has said which: whole rows would be read to be skipped. */
const SHALLOW_MAX = 500;

/** The id is in the record already. */
function keyTextsSql(keys: readonly SortKey[]): string {
  return keys
    .filter((key) => key.field !== "id")
    .map((key) => `, (${key.sql})::text`)
    .join("");
}

/** The page nearest to where it is counted from, given how many rows there are in all. */
export function toRange(page: { offset: number; limit: number }, knownTotal: number | undefined): Range {
  const { offset, limit } = page;
  if (knownTotal === undefined || offset <= knownTotal / 2) return { limit, skip: offset, isFromEnd: false };
  const count = Math.max(0, Math.min(limit, knownTotal - offset));
  return { limit: count, skip: Math.max(0, knownTotal - offset - count), isFromEnd: true };
}

function limitSql({ limit, skip }: Range, add: AddParameter): string {
  return skip > 0 ? `LIMIT ${add(limit)} OFFSET ${add(skip)}` : `LIMIT ${add(limit)}`;
}

export interface PageParts {
  view: ModelView;
  scope: Scope;
  keys: readonly SortKey[];
  reader: Reader;
  phase: Phase;
  range: Range;
}

/** The statement of a page. */
export function pageSql({ view, scope, keys, reader, phase, range }: PageParts): PageStatement {
  const { add, values } = createParameters();
  const behind = phase(add);
  const terms = [...scopeTerms(view, scope, reader, add), ...(behind ? [behind] : [])];
  const where = terms.length > 0 ? `WHERE ${terms.join(" AND ")}` : "";
  const select = `SELECT ${recordSql(view, reader)}${keyTextsSql(keys)} ${fromSql(view.model)}`;
  const order = keyOrderSql(keys);
  const limit = limitSql(range, add);
  if (range.skip <= SHALLOW_MAX && !range.isFromEnd)
    return { text: `${select} ${where} ${order} ${limit}`, values };
  const found = `SELECT ${ALIAS}.id ${fromSql(view.model)} ${where} ${keyOrderSql(keys, range.isFromEnd)} ${limit}`;
  return { text: `${select} JOIN (${found}) page ON page.id = ${ALIAS}.id ${order}`, values };
}

/** One term of a list's order. Rows without a value come last, whichever way it goes. */
export interface SortKey {
  field: string;
  sql: string;
  direction: SortTerm["direction"];
  mayBeNull: boolean;
}

/** The order of a list, the id at its end. */
export function toSortKeys(view: ModelView, sort: readonly SortTerm[], lang: Language): SortKey[] {
  const { model } = view;
  return toFullSort(model, sort).map((term) => {
    const sql = sortKeySql(model, term, lang);
    const field = model.fieldByName.get(term.field);
    const mayBeNull = term.field !== "id" && (!field || maySortNull(field, field.sql(ALIAS), sql));
    return { field: term.field, sql, direction: term.direction, mayBeNull };
  });
}

/** One term of `ORDER BY`. A key that is never null says nothing of NULL, so that one index serves it in both directions. */
function termSql({ sql, direction, mayBeNull }: SortKey, isReversed: boolean): string {
  const turned = direction === "asc" ? "desc" : "asc";
  const nulls = mayBeNull ? ` NULLS ${isReversed ? "FIRST" : "LAST"}` : "";
  return `${sql} ${isReversed ? turned : direction}${nulls}`;
}

/** `ORDER BY …` of keys, or of the same keys from the other end. */
export function keyOrderSql(keys: readonly SortKey[], isReversed = false): string {
  return `ORDER BY ${keys.map((key) => termSql(key, isReversed)).join(", ")}`;
}

/** The sort of a list: the asked one or the model's own, and the key at its end, so that pages neither repeat nor miss a row. */
function toFullSort(model: Model, sort: readonly SortTerm[]): readonly SortTerm[] {
  const asked = sort.length > 0 ? sort : model.defaultSort;
  const key = asked.findIndex((term) => term.field === "id");
  // What comes after the key decides nothing.
  if (key >= 0) return asked.slice(0, key + 1);
  return [...asked, { field: "id", direction: asked.at(-1)?.direction ?? "asc" }];
}

/** Whether the column has the empty text for what is missing. An index of a large model holds texts as they are. */
function isEmptyWhenMissing(model: Model, { kind, isNullable, isRequired }: Field): boolean {
  return !model.isLarge && kind.columnTypes.includes("text") && !isNullable && !isRequired;
}

/** SQL of what a term sorts by. */
function sortKeySql(model: Model, term: SortTerm, lang: Language): string {
  const field = model.fieldByName.get(term.field);
  if (!field || term.field === "id") return `${ALIAS}.id`;
  const value = field.sql(ALIAS);
  return field.kind.sortSql(isEmptyWhenMissing(model, field) ? `nullif(${value}, '')` : value, lang);
}

/** What the sort keys of a row are, as PostgreSQL's text; null for NULL. */
export type KeyValues = readonly (string | null)[];

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
