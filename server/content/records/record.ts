import type { ModelRecord } from "#contract/content/models.ts";
import type { Reader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { AbortableQueries } from "#server/db/abortable-queries.ts";
import type { Queryable } from "#server/db/pool.ts";
import { MAX_INT4, quoteName } from "#server/db/sql.ts";
import type { Field, Model } from "#server/models/model.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";
import type { ModelView } from "./access.ts";
import { ALIAS, createParameters, fromSql, recordColumns, recordSql, toRecord } from "./record-sql.ts";

/** A record with the name of its version, which `If-Match` takes. */
export interface VersionedRecord {
  record: ModelRecord;
  etag: string;
}

/** A tag of RFC 9110, 8.8.3; a weak one stands for the same version, because ours name content. */
const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

function versionSql(field: Field, alias: string): string {
  const { through } = field;
  if (!through) return field.sql(alias);
  const to = `x.${quoteName(through.to)}`;
  return `(SELECT array_agg(${to} ORDER BY ${to}) FROM ${quoteName(through.table)} x WHERE x.${quoteName(through.from)} = ${alias}.id)`;
}

/**
 * SQL of the name of a row's version: it changes with what the reader may see and somebody can write, and with nothing else.
 * The language of the answer and names of related rows are no part of it.
 */
export function etagSql(view: ModelView, alias: string): string {
  const values = view.fields.filter((field) => !field.isReadOnly).map((field) => versionSql(field, alias));
  return `('"' || md5(ROW(${[`${alias}.id`, ...values].join(", ")})::text) || '"')`;
}

/**
 * The tags of an `If-Match`, strong ones; undefined: there is no condition, or any version will do (`*`).
 * @throws AppError invalid_query where it names no version: its quotes were lost, or it is empty.
 */
export function parseIfMatch(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const tags = Array.from(header.matchAll(TAG), (match) => match[1] ?? "");
  if (tags.length === 0) throw new AppError("invalid_query", { vars: { parameter: "If-Match" } });
  return tags;
}

/** Whether a row can have the number: one beyond the type is no object. */
function isIdOf(model: Model, id: number): boolean {
  return model.idType === "bigint" || id <= MAX_INT4;
}

/** One record with its ETag, as far as the reader may see it. */
export async function selectVersioned(
  queries: AbortableQueries,
  view: ModelView,
  id: number,
  reader: Reader,
  signal: AbortSignal | undefined,
): Promise<VersionedRecord | undefined> {
  if (!isIdOf(view.model, id)) return undefined;
  const rule = rowRuleSql(view.model, "view", ALIAS, reader);
  const text =
    `SELECT ${recordSql(view, reader)}, ${etagSql(view, ALIAS)} ${fromSql(view.model)} ` +
    `WHERE ${ALIAS}.id = $1 ${rule ? `AND ${rule}` : ""}`;
  const [row] = await queries.selectRows({ text, values: [id] }, signal);
  const columns = recordColumns(view);
  return row && { record: toRecord(columns, row), etag: String(row[columns.length]) };
}

/** Whether the reader can see the row; undefined: there is none any more. */
export async function canSeeRow(
  db: Queryable,
  model: Model,
  id: number,
  reader: Reader,
): Promise<boolean | undefined> {
  const { add, values } = createParameters();
  const rule = rowRuleSql(model, "view", ALIAS, reader, add);
  const { rows } = await db.query<{ is_met: boolean }>(
    `SELECT (${rule ?? "true"}) IS TRUE AS is_met ${fromSql(model)} WHERE ${ALIAS}.id = ${add(id)}::bigint`,
    values,
  );
  return rows[0]?.is_met;
}
