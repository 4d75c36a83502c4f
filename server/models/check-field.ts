import type { PgColumn } from "drizzle-orm/pg-core";
import type { FieldDeclaration } from "./field-declaration.ts";
import type { FieldKind } from "./model.ts";
import { isBlank, type Report } from "./registry/check-declaration.ts";

/** Kinds that check what is written against the declared range. */
const HAS_RANGE: readonly string[] = ["integer", "decimal"];

/** Names that a record, or the engine's SQL, has for something else. */
const TAKEN_NAMES = ["id", "repr", "search"];

function checkTexts(name: string, declaration: FieldDeclaration, report: Report): void {
  if (isBlank(declaration.labels)) report(name, "a label is missing in one language");
  if (declaration.help && isBlank(declaration.help)) report(name, "a help text is missing in one language");
  for (const choice of declaration.choices ?? []) {
    if (isBlank(choice.labels)) report(name, `the choice "${choice.value}" lacks a label in one language`);
  }
}

/** What every declaration of a field must say, whatever its column is. */
export function checkField(
  name: string,
  declaration: FieldDeclaration,
  kind: FieldKind,
  report: Report,
): void {
  checkTexts(name, declaration, report);
  if (TAKEN_NAMES.includes(name) || name.startsWith("@")) report(name, "this name is taken by the engine");
  if (declaration.sql !== undefined && declaration.kind !== "computed")
    report(name, "only a computed field has SQL of its own");
  if (declaration.range && !HAS_RANGE.includes(kind.name))
    report(name, "only an integer or a decimal has a range");
  if (declaration.author && (kind.relates !== "one" || !declaration.readOnly))
    report(name, "who creates a row is a read-only relation");
  if (kind.holdsFile && !declaration.accept?.length)
    report(name, "a file field says which media types it accepts");
}

/** A column must be there, of a type that its kind lives in, and as precise as the declaration says. */
export function checkColumn(
  name: string,
  declaration: FieldDeclaration,
  kind: FieldKind,
  column: PgColumn | undefined,
  report: Report,
): void {
  if (!column) {
    report(name, `the table has no column ${declaration.column ?? name}`);
    return;
  }
  const type = column.getSQLType();
  const { digits } = declaration;
  if (!kind.columnTypes.includes(type.replace(/\(.*\)$/, ""))) {
    report(name, `kind "${kind.name}" wants a column of ${kind.columnTypes.join(" or ")}, not ${type}`);
  } else if (digits && type.replaceAll(" ", "") !== `numeric(${digits.total},${digits.scale})`) {
    report(name, `digits of ${digits.total} and ${digits.scale} on a column of ${type}`);
  }
}
