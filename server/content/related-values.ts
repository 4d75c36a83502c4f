import type { Reader } from "#server/base/actor.ts";
import type { FieldFault } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { AddParameter, Field } from "#server/models/model.ts";
import { requireRelated, rowRuleSql } from "#server/models/row-sql.ts";
import { quoteName } from "../db/sql.ts";
import { isAllowed } from "./records/access.ts";
import { createParameters } from "./records/record-sql.ts";
import { hidesRelated } from "./seen-changes.ts";
import { differsSql, linkedIdsSql, type Values, valueSql } from "./write/write-sql.ts";

/** Written ids of related rows that their writer doesn't meet, by field: to them, these rows do not exist. */
export type Unmet = ReadonlyMap<Field, readonly number[]>;

async function selectMet(
  db: Queryable,
  field: Field,
  ids: readonly number[],
  reader: Reader,
): Promise<Set<number>> {
  const related = requireRelated(field);
  if (!isAllowed(related, "view", reader.level)) return new Set();
  const { add, values } = createParameters();
  const rule = rowRuleSql(related, "view", "r", reader, add) ?? "true";
  const { rows } = await db.query<{ id: number }>(
    `SELECT r.id::float8 AS id FROM ${quoteName(related.table)} r WHERE r.id = ANY(${add(ids)}::bigint[]) AND ${rule}`,
    values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Asks only of relations to rows that are not for everybody. */
export async function findUnmet(db: Queryable, written: Values, reader: Reader): Promise<Unmet> {
  const unmet = new Map<Field, readonly number[]>();
  for (const [field, value] of written) {
    if (value === null || !hidesRelated(field, reader.level)) continue;
    const ids = (Array.isArray(value) ? value : [value]).map(Number);
    const met = await selectMet(db, field, ids, reader);
    const hidden = ids.filter((id) => !met.has(id));
    if (hidden.length > 0) unmet.set(field, hidden);
  }
  return unmet;
}

/** SQL that says whether a row is not related to such rows already: what was read as `#7` may be sent back. */
export function isNewlyUnmetSql(
  field: Field,
  ids: readonly number[],
  alias: string,
  add: AddParameter,
): string {
  return field.through
    ? `NOT (${linkedIdsSql(field.through, alias)} @> ${add(ids)}::bigint[])`
    : differsSql(field, alias, valueSql(field, ids[0] ?? null, add));
}

/** The fault of such a relation: that of a row which doesn't exist. */
export function toUnmetFault(field: Field): FieldFault {
  return { field: field.name, code: "related_not_found" };
}
