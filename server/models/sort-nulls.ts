import type { Field } from "./model.ts";

/**
 * Whether a sort by `sql` can meet NULL, where `value` is SQL of the field's value: what a column says of NULL holds only while
 * the sort is by the column itself.
 */
export function maySortNull(
  field: Pick<Field, "column" | "isNullable">,
  value: string,
  sql: string,
): boolean {
  const isBareColumn = field.column !== null && (sql === value || sql.startsWith(`${value} COLLATE `));
  return field.isNullable || !isBareColumn;
}
