import { LANGUAGES } from "#contract/languages.ts";
import type { ModelDeclaration } from "./declare.ts";
import { type Field, quoteName } from "./model.ts";
import type { Report } from "./report.ts";
import type { IndexTerm, TableShape } from "./table-shape.ts";

/** Terms that give one order when read forward and its reverse when read backward, as the API sorts. */
function isOneWay(terms: readonly IndexTerm[]): boolean {
  return terms.every((term) => term.hasUsualNulls && term.isDescending === terms[0]?.isDescending);
}

/** Whether an index gives rows by `sql`, then by id, in both directions. */
function isServed(table: TableShape, sql: string): boolean {
  return table.indexes.some(({ method, isWhole, terms }) => {
    const [first, second] = terms;
    if (!isWhole || method !== "btree" || first?.sql !== sql || second?.sql !== '"id"') return false;
    return isOneWay([first, second]);
  });
}

function checkSort(name: string, field: Field | undefined, table: TableShape, report: Report): void {
  if (!field?.isSortable) {
    report(name, "the sorts name no sortable field");
    return;
  }
  const column = quoteName(field.column ?? name);
  for (const sql of new Set(LANGUAGES.map((lang) => field.kind.sortSql(column, lang)))) {
    if (isServed(table, sql)) continue;
    const wanted = `(${sql}, id), or both descending with nulls first`;
    report(name, `no index serves a sort by it: one is needed on ${wanted}`);
  }
}

/** A large model is sorted only by what an index holds in the API's order; a list of it never sorts a million rows. */
export function checkSorts(
  declaration: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  table: TableShape,
  report: Report,
): void {
  const { large = false, sorts = [], defaultSort, singleton = false, access } = declaration;
  for (const { field, direction } of defaultSort) {
    if (direction !== "asc" && direction !== "desc")
      report(field, `the default sort goes "asc" or "desc", not "${direction}"`);
    if (field !== "id" && !fields.get(field)?.isSortable)
      report(field, "the default sort names no sortable field");
    // A cursor holds the value that its page ends with.
    else if ((fields.get(field)?.viewLevel ?? 0) > (access.view ?? 0))
      report(field, "a field that not everybody sees can't be the default sort");
  }
  if (!large && sorts.length > 0) report(null, "sorts are declared of large models alone");
  if (!large) return;
  if (defaultSort.length !== 1 || singleton) report(null, "a large model has a default sort by one field");
  for (const name of sorts) checkSort(name, fields.get(name), table, report);
}
