import type { Reader } from "#server/base/actor.ts";
import type { AddParameter } from "#server/models/model.ts";
import type { Phase } from "../after-sql.ts";
import { ALIAS, createParameters, fromSql, recordSql } from "../records/record-sql.ts";
import { type Scope, scopeTerms } from "../scope.ts";
import { keyOrderSql, type SortKey } from "../sort-keys.ts";
import type { ModelView } from "../view.ts";

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

/** Above, rows are looked up by id after an index alone has told which: whole rows would be read to be skipped. */
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
