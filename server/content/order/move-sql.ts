import type { Queryable } from "#server/db/pool.ts";
import { MAX_INT4, quoteName } from "#server/db/sql.ts";
import type { Field } from "#server/models/model.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";
import { ALIAS, createParameters, fromSql } from "../records/record-sql.ts";
import { columnSql } from "../write/judge-sql.ts";
import { type RowsWrite, updateTermsSql, type WrittenSummary } from "../write/write-sql.ts";
import type { Placed } from "./move-plan.ts";

export interface OrderedRow extends Placed {
  isVisible: boolean;
  isWritable: boolean;
}

/** The person who moves rows, and what they see of the model. */
export type Who = Pick<RowsWrite, "view" | "reader" | "actor">;

/** One mover of a table at a time, and nobody else writes it until the end of the transaction; reading goes on. */
export async function lockOrder(db: Queryable, { view }: Who): Promise<void> {
  await db.query(`LOCK TABLE ${quoteName(view.model.table)} IN SHARE ROW EXCLUSIVE MODE`);
}

/** Every row in the model's order, with what the reader may do with it. */
export async function selectOrder(db: Queryable, { view, reader }: Who, field: Field): Promise<OrderedRow[]> {
  const { add, values } = createParameters();
  const rules = (["view", "update"] as const).map((operation) => {
    const rule = rowRuleSql(view.model, operation, ALIAS, reader, add);
    return rule ? `((${rule}) IS TRUE)` : "true";
  });
  const place = `${ALIAS}.${columnSql(field)}`;
  const { rows } = await db.query<OrderedRow>(
    `SELECT ${ALIAS}.id::float8 AS id, coalesce(${place}, ${MAX_INT4}) AS place,
       ${rules[0]} AS "isVisible", ${rules.join(" AND ")} AS "isWritable"
     ${fromSql(view.model)} ORDER BY ${place}, ${ALIAS}.id`,
    values,
  );
  return rows;
}

/**
 * Gives each row its number, in one statement with the audit entries. A row in another place says what it said: it doesn't
 * count as edited, and sample content that was only put in order stays sample content.
 * @returns whether all of them were written.
 */
export async function writePlaces(
  db: Queryable,
  who: Who,
  field: Field,
  { places, detail }: { places: readonly Placed[]; detail: string },
): Promise<boolean> {
  const { add, values } = createParameters();
  const numbers = JSON.stringify(Object.fromEntries(places.map(({ id, place }) => [id, place])));
  const ids = `${add(places.map(({ id }) => id))}::${who.view.model.idType}[]`;
  const sql = updateTermsSql(
    { ...who, add, where: `${ALIAS}.id = ANY(${ids})`, detail, keepsMoment: true, returning: "summary" },
    [{ field, sql: `(${add(numbers)}::jsonb ->> b.id::text)::integer` }],
  );
  const { rows } = await db.query<WrittenSummary>(sql, values);
  return rows.length === places.length && rows.every((row) => row["@state"] === "written");
}
