import type { Language } from "#contract/languages.ts";
import type { ModelRecord } from "#contract/models.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Field, type Model, quoteName } from "#server/models/model.ts";
import { ALIAS, createParameters, fromSql, orderSql, recordSql, whereSql } from "./list-sql.ts";
import type { ListQuery } from "./query.ts";

/** Checked values of a write by field name; null empties the field or gives it its default. */
export type Values = ReadonlyMap<Field, unknown>;

/** One page of records. */
export async function selectPage(
  db: Queryable,
  model: Model,
  query: ListQuery,
  lang: Language,
): Promise<ModelRecord[]> {
  const { add, values } = createParameters();
  const where = whereSql(model, query, add);
  const limits = `LIMIT ${add(query.pageSize)} OFFSET ${add((query.page - 1) * query.pageSize)}`;
  const { rows } = await db.query<ModelRecord>(
    `SELECT ${recordSql(model, lang)} ${fromSql(model)} ${where} ${orderSql(model, query, lang)} ${limits}`,
    values,
  );
  return rows;
}

/** One record, locked against other writers when a write follows. */
export async function selectOne(
  db: Queryable,
  model: Model,
  id: number,
  lang: Language,
  lock: "" | "FOR UPDATE" = "",
): Promise<ModelRecord | undefined> {
  const { rows } = await db.query<ModelRecord>(
    `SELECT ${recordSql(model, lang)} ${fromSql(model)} WHERE ${ALIAS}.id = $1 ${lock}`,
    [id],
  );
  return rows[0];
}

type ParameterSql = (value: unknown) => string;

function valueSql(field: Field, value: unknown, add: ParameterSql): string {
  if (value === null) return field.isNullable ? "NULL" : (field.createDefaultSql ?? "DEFAULT");
  return `${add(field.kind.toParameter(value))}${field.kind.parameterCast}`;
}

export async function insertOne(db: Queryable, model: Model, values: Values): Promise<number> {
  const { add, values: parameters } = createParameters();
  const columns = [...values.keys()].map((field) => quoteName(field.name));
  const terms = [...values].map(([field, value]) => valueSql(field, value, add));
  const { rows } = await db.query<{ id: number }>(
    columns.length > 0
      ? `INSERT INTO ${quoteName(model.table)} (${columns.join(", ")}) VALUES (${terms.join(", ")}) RETURNING id`
      : `INSERT INTO ${quoteName(model.table)} DEFAULT VALUES RETURNING id`,
    parameters,
  );
  return Number(rows[0]?.id);
}

/** Writes fields of a row that the caller has locked. `updated_at` follows the clock, not the transaction's start. */
export async function updateOne(db: Queryable, model: Model, id: number, values: Values): Promise<void> {
  const { add, values: parameters } = createParameters();
  const terms = [...values].map(
    ([field, value]) => `${quoteName(field.name)} = ${valueSql(field, value, add)}`,
  );
  if (model.hasTimestamps) terms.push("updated_at = clock_timestamp()");
  await db.query(
    `UPDATE ${quoteName(model.table)} SET ${terms.join(", ")} WHERE id = ${add(id)}`,
    parameters,
  );
}

export async function deleteOne(db: Queryable, model: Model, id: number): Promise<void> {
  await db.query(`DELETE FROM ${quoteName(model.table)} WHERE id = $1`, [id]);
}
