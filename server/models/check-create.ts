import type { PgColumn } from "drizzle-orm/pg-core";
import type { ModelDeclaration } from "./declare.ts";
import type { Field } from "./model.ts";
import type { Report } from "./registry/check-declaration.ts";
import type { TableShape } from "./table-shape.ts";

function wantsValue(column: PgColumn): boolean {
  return column.notNull && !column.hasDefault && !column.generated && !column.generatedIdentity;
}

function canFill(field: Field, createLevel: number): boolean {
  const isWritten = !field.isReadOnly && Math.max(field.viewLevel, field.writeLevel) <= createLevel;
  return isWritten || field.kind.createDefaultSql !== undefined;
}

/** A row that people may create must be one that they can: every value that the table wants is theirs to give. */
export function checkCreate(
  { access, hasWriter = false }: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  table: TableShape,
  report: Report,
): void {
  const { create } = access;
  if (create === null || hasWriter) return;
  for (const column of table.columns.values()) {
    if (!wantsValue(column)) continue;
    const field = [...fields.values()].find((one) => one.column === column.name);
    if (!field || !canFill(field, create))
      report(field?.name ?? column.name, "the table wants a value, which nobody who creates a row can give");
  }
}
