import type { Reader } from "#server/base/actor.ts";
import type { AbortableQueries } from "#server/db/abortable-queries.ts";
import { MAX_INT4 } from "#server/db/sql.ts";
import type { Model } from "#server/models/model.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";
import { etagSql } from "./etag.ts";
import { recordColumns, toRecord } from "./record-row.ts";
import type { VersionedRecord } from "./records/record.ts";
import { ALIAS, fromSql, recordSql } from "./records/record-sql.ts";
import type { ModelView } from "./view.ts";

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
