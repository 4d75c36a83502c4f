import type { ModelRecord } from "#contract/content/models.ts";
import type { Language } from "#contract/languages.ts";
import type { Reader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { AbortableQueries } from "#server/db/abortable-queries.ts";
import type { Model } from "#server/models/model.ts";
import type { ModelView } from "../records/access.ts";
import { recordColumns, toRecord } from "../records/record-sql.ts";
import {
  FROM_START,
  type KeyValues,
  type PageParts,
  type Phase,
  pageSql,
  type SortKey,
  toPhases,
  toRange,
  toSortKeys,
} from "./page-sql.ts";
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

/** One page of records; one row more is read, which shows whether there is another page. */
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

/** The list that a cursor belongs to. */
interface ListOrder {
  model: Model;
  keys: readonly SortKey[];
  lang: Language;
}

/** Texts sort and read by language, so that a cursor of one says nothing in the other. */
function toSignature({ model, keys, lang }: ListOrder): string {
  return [model.key, lang, ...keys.map((key) => `${key.direction} ${key.field}`)].join(",");
}

/** Text of the place behind a row: opaque to clients, who may send it back as `cursor`. */
function encodeCursor(order: ListOrder, values: KeyValues): string {
  return Buffer.from(JSON.stringify([toSignature(order), ...values])).toString("base64url");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}

function isKeyValue(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && !value.includes("\0"));
}

/** @throws AppError invalid_query where the text is no cursor, or one of another list, sort or language. */
function decodeCursor(order: ListOrder, text: string): KeyValues {
  const content = parseJson(text);
  const [signature, ...values] = Array.isArray(content) ? content : [];
  const isOurs =
    signature === toSignature(order) &&
    values.length === order.keys.length &&
    values.every(isKeyValue) &&
    values.every((value, index) => value !== null || order.keys[index]?.mayBeNull);
  if (!isOurs) throw invalidCursor();
  return values;
}

function invalidCursor(): AppError {
  return new AppError("invalid_query", { vars: { parameter: "cursor" } });
}
