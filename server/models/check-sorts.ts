import { LANGUAGES } from "#contract/languages.ts";
import { quoteName } from "../db/sql.ts";
import type { ModelDeclaration } from "./declare.ts";
import type { Field } from "./model.ts";
import type { Report } from "./registry/check-declaration.ts";
import { maySortNull } from "./sort-nulls.ts";
import type { IndexTerm, TableShape } from "./table-shape.ts";

/** An order, and how the message of a missing index writes it. */
interface WantedIndex {
  terms: readonly IndexTerm[];
  text: string;
}

/** Orders that indexes have to give for a sort by `sql` to go both ways. Read backward, an index gives the reverse of its own. */
function toWanted(sql: string, mayBeNull: boolean): WantedIndex[] {
  const id = { sql: '"id"' };
  const up: IndexTerm[] = [
    { sql, isDescending: false, nulls: "last" },
    { ...id, isDescending: false, nulls: "last" },
  ];
  if (!mayBeNull) return [{ terms: up, text: `(${sql}, id), or both descending with nulls first` }];
  const down: IndexTerm[] = [
    { sql, isDescending: true, nulls: "last" },
    { ...id, isDescending: true, nulls: "first" },
  ];
  return [
    { terms: up, text: `(${sql}, id)` },
    { terms: down, text: `(${sql} DESC NULLS LAST, id DESC NULLS FIRST), since it may be null` },
  ];
}

function isSame(a: IndexTerm, b: IndexTerm | undefined): boolean {
  return a.sql === b?.sql && a.isDescending === b.isDescending && a.nulls === b.nulls;
}

function turn(term: IndexTerm): IndexTerm {
  return { ...term, isDescending: !term.isDescending, nulls: term.nulls === "first" ? "last" : "first" };
}

/** Whether an index gives rows in an order, read forward or backward. */
function isServed(table: TableShape, { terms: wanted }: WantedIndex): boolean {
  return table.indexes.some(({ method, isWhole, terms }) => {
    if (!isWhole || method !== "btree") return false;
    const isGiven = (order: readonly IndexTerm[]) => order.every((term, index) => isSame(term, terms[index]));
    return isGiven(wanted) || isGiven(wanted.map(turn));
  });
}

function checkSort(name: string, field: Field | undefined, table: TableShape, report: Report): void {
  if (!field?.isSortable) {
    report(name, "the sorts name no sortable field");
    return;
  }
  const column = quoteName(field.column ?? name);
  for (const sql of new Set(LANGUAGES.map((lang) => field.kind.sortSql(column, lang)))) {
    for (const wanted of toWanted(sql, maySortNull(field, column, sql)))
      if (!isServed(table, wanted))
        report(name, `no index serves a sort by it: one is needed on ${wanted.text}`);
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
