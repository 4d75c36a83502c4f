import { quoteName } from "../../db/sql.ts";
import type { ModelDeclaration } from "../declare.ts";
import { foldedSearchSql } from "../filter-sql.ts";
import type { Field } from "../model.ts";
import type { TableShape } from "../table-shape.ts";
import type { Report } from "./check-declaration.ts";

/** SQL of the folded text that the declared fields make. */
function toExpectedSql(search: readonly string[], fields: ReadonlyMap<string, Field>): string {
  return foldedSearchSql(
    search.map(
      (name) => fields.get(name)?.kind.searchSql?.(quoteName(fields.get(name)?.column ?? name)) ?? "",
    ),
  );
}

function hasTrigramIndex(table: TableShape): boolean {
  return table.indexes.some(
    ({ method, isWhole, terms, opClasses }) =>
      isWhole && method === "gin" && terms[0]?.sql === '"search"' && opClasses[0] === "gin_trgm_ops",
  );
}

function findFieldFault(declaration: ModelDeclaration, field: Field | undefined): string | undefined {
  if (!field) return "the search names no declared field";
  if (!field.kind.searchSql) return `kind "${field.kind.name}" can't be searched`;
  return field.viewLevel > (declaration.access.view ?? 0) || field.isSecret
    ? "a field that not everybody sees can't be searched"
    : undefined;
}

/** @returns whether every searched field may be searched. */
function checkFields(
  declaration: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  report: Report,
): boolean {
  let isRight = true;
  for (const name of declaration.search ?? []) {
    const fault = findFieldFault(declaration, fields.get(name));
    if (fault === undefined) continue;
    report(name, fault);
    isRight = false;
  }
  return isRight;
}

/**
 * A search must not tell of what its reader may not see, and reads a folded column of exactly the declared fields with its
 * trigram index: without that a large model would be read from end to end.
 */
export function checkSearch(
  declaration: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  table: TableShape,
  report: Report,
): void {
  const { search = [], searchIsBuilt = false } = declaration;
  const hasColumn = table.columns.has("search");
  if (searchIsBuilt && hasColumn)
    report("search", "a search column that is built beside the server must not be in the table");
  if (search.length === 0) {
    if (searchIsBuilt || hasColumn) report("search", "the search column has no declared search fields");
    return;
  }
  if (!checkFields(declaration, fields, report) || searchIsBuilt) return;
  const expected = toExpectedSql(search, fields);
  if (!hasColumn) report("search", "the table has no search column");
  else if (table.searchSql !== expected) {
    const held = table.searchSql ?? "nothing";
    report("search", `the search column holds ${held}, the declaration says ${expected}`);
  } else if (!hasTrigramIndex(table)) report("search", "the search column has no trigram index");
}
