import type { LiveEvent } from "#contract/content/objects.ts";
import type { Reader } from "#server/base/actor.ts";
import type { RowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Condition, type Model, rulesFor } from "#server/models/model.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";
import { ALIAS, createParameters, fromSql, idSql } from "../records/record-sql.ts";

/** A listener, as far as it decides what is published to them. */
export type LiveReader = Pick<Reader, "level" | "userId">;

function namesReader(condition: Condition): boolean {
  switch (condition.type) {
    case "and":
    case "or":
      return condition.of.some(namesReader);
    case "not":
      return namesReader(condition.of);
    case "me":
      return true;
    case "viewable":
    case "field":
      return false;
  }
}

/** Readers of the same audience get the same: one query serves them all. */
export function toAudience(model: Model, { level, userId }: LiveReader): string {
  const rules = rulesFor(model, "view", level);
  if (rules.length === 0) return "every row";
  return rules.some(({ where }) => namesReader(where)) ? `${level} ${userId}` : `${level}`;
}

/** Those of the rows that a reader meets. */
async function selectSeen(
  db: Queryable,
  model: Model,
  ids: readonly number[],
  reader: LiveReader,
): Promise<number[]> {
  const { add, values } = createParameters();
  const rule = rowRuleSql(model, "view", ALIAS, reader, add) ?? "true";
  const { rows } = await db.query<{ id: number }>(
    `SELECT ${idSql(model)} AS id ${fromSql(model)} WHERE ${ALIAS}.id = ANY(${add(ids)}::bigint[]) AND ${rule} ORDER BY 1`,
    values,
  );
  return rows.map((row) => row.id);
}

/** Says nothing but that the list is to be read again: neither which rows, nor how many, nor what became of them. */
export function toReadAgain(model: Model): LiveEvent {
  return { type: "updated", content_type_id: model.contentTypeId, ids: [], is_many: true };
}

/**
 * What is published of a change to a reader; undefined: nothing. Of rows that they can't see they learn neither number nor
 * type: such a row may have left their list just now, and whether a deleted one was on it nobody knows any more, so the list
 * is to be read again. A new row that they can't see never was on it.
 */
export async function toLiveEvent(
  db: Queryable,
  model: Model,
  change: RowChange,
  reader: LiveReader,
): Promise<LiveEvent | undefined> {
  const about = { type: change.type, content_type_id: model.contentTypeId };
  if (rowRuleSql(model, "view", ALIAS, reader) === undefined)
    return { ...about, ids: [...change.ids], is_many: change.isMany };
  if (change.isMany || change.type === "deleted") return toReadAgain(model);
  const ids = await selectSeen(db, model, change.ids, reader);
  if (change.type === "created" && ids.length === 0) return undefined;
  const isWhole = ids.length === change.ids.length || change.type === "created";
  return isWhole ? { ...about, ids, is_many: false } : toReadAgain(model);
}
