import type { Reader } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Model } from "#server/models/model.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";
import { ALIAS, createParameters, fromSql } from "./records/record-sql.ts";

/** Whether the reader meets the row; undefined: there is none any more. */
export async function isMet(
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
