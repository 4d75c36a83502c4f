import type { ComponentType } from "react";
import type { FieldInfo, ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";

/**
 * At most five columns, without those that every model has (specification B section 9), unless the model names one and is
 * sorted by it: what decides the order is to be seen.
 */
const COLUMNS_MAX = 5;
const COMMON_FIELDS = ["id", "created_at", "updated_at"];

/** What draws a column's cells, by field. `isLinked`: inside of the link to the record already. */
export type RowCells = Readonly<
  Record<string, ComponentType<{ record: ModelRecord; value: unknown; isLinked: boolean }>>
>;

function findFields(model: RecordSource, names: readonly string[]): FieldInfo[] {
  const byName = new Map(model.fields.map((field) => [field.name, field]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

function isSortedBy(model: RecordSource, name: string): boolean {
  return model.list_columns.includes(name) && model.default_sort.some(({ field }) => field === name);
}

/** The columns of a list for which nobody has chosen others. */
export function pickDefaultColumns(model: RecordSource): FieldInfo[] {
  const named = findFields(model, model.list_columns);
  const shown = named.length > 0 ? named : model.fields;
  const own = shown.filter(({ name }) => !COMMON_FIELDS.includes(name) || isSortedBy(model, name));
  // Models name five at most; users have six documented columns.
  return (own.length > 0 ? own : shown).slice(0, Math.max(named.length, COLUMNS_MAX));
}

/** The chosen columns in their order. Fields that the model has no more, or never had, are left out. */
export function pickColumns(model: RecordSource, chosen: readonly string[]): FieldInfo[] {
  const fields = findFields(model, chosen);
  return fields.length > 0 ? fields : pickDefaultColumns(model);
}

const ONE_LINE_TYPES: readonly FieldInfo["type"][] = [
  "DateTimeField",
  "DateField",
  "PartialDateField",
  "BooleanField",
  "ColorField",
  "FileField",
  "ImageField",
];
const NUMBER_TYPES: readonly FieldInfo["type"][] = ["IntegerField", "BigIntegerField", "DecimalField"];

export function toCellClass(field: FieldInfo): string {
  // A number that is chosen by its name reads as a word.
  if (NUMBER_TYPES.includes(field.type) && field.choices.length === 0) return "number-cell";
  if (ONE_LINE_TYPES.includes(field.type)) return "fixed-cell";
  return field.choices.length > 0 ? "choice-cell" : "text-cell";
}
