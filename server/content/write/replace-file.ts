import { type Caller, toReader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { listUsingFields, type UsingField, usesKeySql } from "#server/models/file-uses.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { toView } from "../records/access.ts";
import { ALIAS, createParameters } from "../records/record-sql.ts";
import type { WrittenTerm } from "./judge-sql.ts";
import { updateTermsSql, type WrittenSummary } from "./write-sql.ts";

/** Two stored files by their keys. */
export interface FileReplacement {
  from: string;
  to: string;
  mediaType: string;
  /** What the rows show stays the same, so their `updated_at` does. */
  keepsMoment?: boolean;
}

/** @throws AppError validation_failed at the field that doesn't take files of the new type. */
function requireAccepted(fields: readonly UsingField[], mediaType: string): void {
  for (const { field, isKey } of fields) {
    if (isKey && !field.accept.includes(mediaType))
      throw new AppError("validation_failed", {
        fields: [{ field: field.name, code: "replacement_refused", vars: { field: field.labels } }],
      });
  }
}

/** Values with the new file in place of the old one, over the locked row `b`. */
function toTerms(fields: readonly UsingField[], from: string, to: string): WrittenTerm[] {
  return fields.map(({ field, isKey }) => {
    const value = field.sql("b");
    return isKey
      ? { field, sql: `CASE WHEN ${value} = ${from} THEN ${to} ELSE ${value} END` }
      : { field, sql: `replace(${value}::text, ${from}, ${to})${field.kind.parameterCast}` };
  });
}

/**
 * Puts one file in another one's place in every row and text that uses it, in the caller's transaction, each row with its entry in the
 * log. @returns the keys of the models whose rows changed, to be announced after the commit.
 * @throws AppError permission_denied where a rule keeps one of the rows; validation_failed where a field doesn't take the new type
 */
export function createReplaceFile({ registry }: { registry: Registry }) {
  return async (db: Queryable, replacement: FileReplacement, caller: Caller): Promise<string[]> => {
    const byModel = Map.groupBy(listUsingFields(registry.models), ({ model }) => model);
    const changed: string[] = [];
    for (const [model, fields] of byModel) {
      const count = await replaceIn(db, model, fields, replacement, caller);
      if (count > 0) changed.push(model.key);
    }
    return changed;
  };
}

async function replaceIn(
  db: Queryable,
  model: Model,
  fields: readonly UsingField[],
  { from, to, mediaType, keepsMoment = false }: FileReplacement,
  caller: Caller,
): Promise<number> {
  const { add, values } = createParameters();
  const [fromSql, toSql] = [`${add(from)}::text`, `${add(to)}::text`];
  const isUsing = (using: UsingField) => usesKeySql(using, fromSql, ALIAS);
  const sql = updateTermsSql(
    {
      view: toView(model, caller.actor.level),
      reader: toReader(caller),
      actor: caller.actor,
      add,
      detail: "file_replaced",
      where: fields.map(isUsing).join(" OR "),
      keepsMoment,
      returning: "summary",
    },
    toTerms(fields, fromSql, toSql),
  );
  const { rows } = await db.query<WrittenSummary>(sql, values);
  if (rows.length === 0) return 0;
  if (rows.some((row) => row["@state"] !== "written")) throw new AppError("permission_denied");
  const keyed = fields.filter(({ isKey }) => isKey);
  if (keyed.length > 0) await requireFits(db, model, keyed, to, mediaType);
  await notifyChange(
    db,
    model.key,
    toRowChange(
      "updated",
      rows.map(({ id }) => id),
    ),
  );
  return rows.length;
}

/** Of the fields that hold the new file now, each takes its type. */
async function requireFits(
  db: Queryable,
  model: Model,
  keyed: readonly UsingField[],
  to: string,
  mediaType: string,
): Promise<void> {
  for (const using of keyed) {
    const { rowCount } = await db.query(
      `SELECT FROM "${model.table}" x WHERE ${usesKeySql(using, "$1")} LIMIT 1`,
      [to],
    );
    if (rowCount === 1) requireAccepted([using], mediaType);
  }
}
