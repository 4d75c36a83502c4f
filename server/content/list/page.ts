import type { ModelRecord } from "#contract/models.ts";
import type { Reader } from "#server/base/actor.ts";
import type { AbortableQueries } from "#server/db/abortable-queries.ts";
import { FROM_START, type Phase, toPhases } from "../after-sql.ts";
import { decodeCursor, encodeCursor, invalidCursor, type ListOrder } from "../cursor.ts";
import { recordColumns, toRecord } from "../record-row.ts";
import { type KeyValues, toSortKeys } from "../sort-keys.ts";
import type { ModelView } from "../view.ts";
import { type PageParts, pageSql, toRange } from "./page-sql.ts";
import type { ListQuery } from "./query.ts";

/** Rows of a list, and where it goes on; null: that was the end. */
export interface Page {
  objects: ModelRecord[];
  nextCursor: string | null;
}

export interface PageRequest {
  view: ModelView;
  query: ListQuery;
  reader: Reader;
  /** How many rows the scope has, where that is known exactly: deep pages are counted from the nearer end then. */
  knownTotal: number | undefined;
  signal: AbortSignal | undefined;
}

/** PostgreSQL's class of values that aren't of their type. */
const DATA_FAULT = /^22/;

/** Only a cursor that we didn't write has values that aren't of the key's type: whatever else is asked for was checked. */
function toCursorError(error: unknown): unknown {
  const { code = "" } = error as { code?: string }; // pg's errors have it
  return DATA_FAULT.test(code) ? invalidCursor() : error;
}

/** Values of a row's sort keys: they stand behind the record, but for the id, which begins it. */
function toKeyValues({ keys }: ListOrder, columns: readonly string[], row: readonly unknown[]): KeyValues {
  let next = columns.length;
  return keys.map((key) => {
    const value = key.field === "id" ? row[0] : row[next++];
    return value === null ? null : String(value);
  });
}

async function selectPhases(
  queries: AbortableQueries,
  parts: Omit<PageParts, "phase">,
  phases: readonly Phase[],
  signal: AbortSignal | undefined,
): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for (const phase of phases) {
    const range = { ...parts.range, limit: parts.range.limit - rows.length };
    if (range.limit <= 0) break;
    rows.push(...(await queries.selectRows(pageSql({ ...parts, range, phase }), signal)));
  }
  return rows;
}

/** One page of records; one row more is read, which tells whether there is another page. */
export async function selectPage(queries: AbortableQueries, request: PageRequest): Promise<Page> {
  const { view, query, reader, knownTotal, signal } = request;
  const { pageSize, cursor } = query;
  const keys = toSortKeys(view, query.sort, reader.lang);
  const order: ListOrder = { model: view.model, keys, lang: reader.lang };
  const phases = cursor === null ? FROM_START : toPhases(keys, decodeCursor(order, cursor));
  const range = toRange({ offset: (query.page - 1) * pageSize, limit: pageSize + 1 }, knownTotal);
  const parts = { view, scope: query, keys, reader, range };
  const rows = await selectPhases(queries, parts, phases, signal).catch((error: unknown) => {
    throw cursor === null ? error : toCursorError(error);
  });
  const columns = recordColumns(view);
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    objects: shown.map((row) => toRecord(columns, row)),
    nextCursor:
      last && rows.length > pageSize ? encodeCursor(order, toKeyValues(order, columns, last)) : null,
  };
}
