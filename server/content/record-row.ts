import type { ModelRecord } from "#contract/models.ts";
import type { ModelView } from "./view.ts";

const columnsOfViews = new WeakMap<ModelView, readonly string[]>();

/** Names of the values that `recordSql` selects, in its order. */
export function recordColumns(view: ModelView): readonly string[] {
  const known = columnsOfViews.get(view) ?? ["id", "repr", ...view.fields.map((field) => field.name)];
  columnsOfViews.set(view, known);
  return known;
}

/** A row that was read as a list, as a record; values behind those of `columns` are no part of it. */
export function toRecord(columns: readonly string[], row: readonly unknown[]): ModelRecord {
  const record: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) record[columns[index] ?? ""] = row[index];
  return record as ModelRecord; // `recordSql` begins with id and repr
}
