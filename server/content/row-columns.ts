import type { Queryable } from "#server/db/pool.ts";
import type { Field, Model } from "#server/models/model.ts";
import { quoteName } from "../db/sql.ts";
import { createParameters } from "./records/record-sql.ts";
import { columnSql, type Values, valueSql } from "./write/write-sql.ts";

async function writeLinks(db: Queryable, id: number, values: Values): Promise<void> {
  for (const [field, value] of values) {
    if (!field.through) continue;
    const [table, from, to] = [field.through.table, field.through.from, field.through.to].map(quoteName);
    const ids = value === null ? [] : field.kind.toParameter(value);
    await db.query(`DELETE FROM ${table} WHERE ${from} = $1 AND ${to} <> ALL($2::bigint[])`, [id, ids]);
    await db.query(
      `INSERT INTO ${table} (${from}, ${to}) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`,
      [id, ids],
    );
  }
}

function toColumns(values: Values): [Field, unknown][] {
  return [...values].filter(([field]) => !field.through);
}

/** Inserts a row and its links to others. @returns its id. */
export async function insertRow(db: Queryable, model: Model, values: Values): Promise<number> {
  const { add, values: parameters } = createParameters();
  const columns = toColumns(values);
  const names = columns.map(([field]) => columnSql(field)).join(", ");
  const terms = columns.map(([field, value]) => valueSql(field, value, add)).join(", ");
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO ${quoteName(model.table)} ${names ? `(${names}) VALUES (${terms})` : "DEFAULT VALUES"} RETURNING id`,
    parameters,
  );
  const id = Number(rows[0]?.id);
  await writeLinks(db, id, values);
  return id;
}

/** Writes columns and links of a row. */
export async function changeRow(db: Queryable, model: Model, id: number, values: Values): Promise<void> {
  const { add, values: parameters } = createParameters();
  const terms = toColumns(values).map(
    ([field, value]) => `${columnSql(field)} = ${valueSql(field, value, add)}`,
  );
  if (model.hasTimestamps) terms.push("updated_at = clock_timestamp()");
  if (terms.length > 0)
    await db.query(
      `UPDATE ${quoteName(model.table)} SET ${terms.join(", ")} WHERE id = ${add(id)}`,
      parameters,
    );
  await writeLinks(db, id, values);
}

/** Deletes a row and its own links. */
export async function removeRow(db: Queryable, model: Model, id: number): Promise<void> {
  for (const { through } of model.fields) {
    if (through)
      await db.query(`DELETE FROM ${quoteName(through.table)} WHERE ${quoteName(through.from)} = $1`, [id]);
  }
  await db.query(`DELETE FROM ${quoteName(model.table)} WHERE id = $1`, [id]);
}
