import type { PgColumn } from "drizzle-orm/pg-core";
import { LANGUAGES } from "#contract/languages.ts";
import { quoteName } from "../../db/sql.ts";
import type { ModelDeclaration } from "../declare.ts";
import { foldedSearchSql } from "../filter-sql.ts";
import { type Field, maySortNull } from "../model.ts";
import type { Report } from "./check-declaration.ts";
import type { IndexTerm, TableShape } from "./table-shape.ts";

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
 * A search must not reveal what its reader may not see, and reads a folded column of exactly the declared fields with its
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
