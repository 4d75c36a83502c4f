import type { PgColumn } from "drizzle-orm/pg-core";
import { AppError, toErrorText } from "../../base/errors.ts";
import { quoteName, toLiteral } from "../../db/sql.ts";
import { toCondition } from "../condition.ts";
import type { FieldDeclaration, Labels, ModelDeclaration } from "../declare.ts";
import { KINDS } from "../kinds.ts";
import type { Field, FieldKind, Model, RowRule } from "../model.ts";
import { conditionSql } from "../row-sql.ts";
import { checkColumn, checkField, checkModel, type Report } from "./check-declaration.ts";
import { checkCreate, checkSearch, checkSorts } from "./check-table.ts";
import { readTableShape, type TableShape, toDefaultSql } from "./table-shape.ts";

/** Row rules as conditions. `models` fills up while the registry is built; a rule reads it when it is compiled to SQL. */
function buildRowRules(
  declaration: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  models: readonly Model[],
  report: Report,
): RowRule[] {
  return (declaration.rows ?? []).flatMap(({ belowLevel, operations, where }) => {
    try {
      return [{ belowLevel, operations, where: toCondition(fields, where, models) }];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report(null, `a row rule can't be read: ${toErrorText(error.code, "en", error.vars)}`);
      return [];
    }
  });
}

/** A reader whom every rule applies to. */
const ANYBODY = { level: 0, userId: 1 };

/** Kinds read a rule's values when it becomes SQL: one that can't be read must not wait for its first reader. */
export function checkRowRules({ rows }: Pick<Model, "rows">, report: Report): void {
  for (const { where } of rows) {
    try {
      conditionSql(where, "t", toLiteral, ANYBODY);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report(null, `a row rule can't be read: ${toErrorText(error.code, "en", error.vars)}`);
    }
  }
}

const NO_HELP: Labels = { en: "", tr: "" };

/** The kind of a declaration; undefined, with its fault noted, where there is none. */
function findKind(name: string, declaration: FieldDeclaration, report: Report): FieldKind | undefined {
  const kind = KINDS[declaration.kind];
  if (!kind) {
    report(name, `unknown kind "${declaration.kind}"`);
    return undefined;
  }
  const fault = kind.findFault?.(declaration, KINDS);
  if (fault) report(name, fault);
  return kind.build && !fault ? kind.build(declaration, KINDS) : kind;
}

/** How a field's value is found in a row: computed, in its column, or by the row's id. */
function toFieldSql(declaration: FieldDeclaration, column: string | null): Field["sql"] {
  const expression = declaration.sql;
  if (expression !== undefined) return (alias) => `(${expression.replaceAll("{row}", alias)})`;
  const name = quoteName(column ?? "id");
  return (alias) => `${alias}.${name}`;
}

function toRules(declaration: FieldDeclaration) {
  return {
    isReadOnly: declaration.readOnly ?? declaration.kind === "computed",
    isSecret: declaration.secret ?? false,
    isAuthor: declaration.author ?? false,
    isPerson: declaration.person ?? declaration.author ?? false,
    viewLevel: declaration.viewLevel ?? 0,
    writeLevel: declaration.writeLevel ?? 0,
  };
}

/** What a kind gets of its declaration. */
function toKindOptions(declaration: FieldDeclaration) {
  return {
    maxLength: declaration.maxLength ?? null,
    accept: declaration.accept ?? [],
    choices: declaration.choices ?? [],
    digits: declaration.digits ?? null,
    range: declaration.range ?? null,
    related: null,
    through: declaration.through ?? null,
  };
}

function toCreateDefault(kind: FieldKind, column: PgColumn | undefined, table: string): string | null {
  if (!column) return null;
  return kind.createDefaultSql?.(quoteName(column.name), quoteName(table)) ?? toDefaultSql(column);
}

/** The value itself, where it is one; "" is what an empty input says anyway. */
function toInitial(kind: FieldKind, column: PgColumn | undefined): Field["initial"] {
  const value: unknown = kind.createDefaultSql ? null : column?.default;
  return typeof value === "boolean" ||
    typeof value === "number" ||
    (typeof value === "string" && value !== "")
    ? value
    : null;
}

/** Whether an index over this column alone, as it is or in lower case, allows each value once. */
function isUniqueColumn({ name }: PgColumn, { indexes }: TableShape): boolean {
  const alone = [`"${name}"`, `lower("${name}")`];
  return indexes.some(
    ({ isUnique, terms: [term, ...more] }) =>
      isUnique && more.length === 0 && term !== undefined && alone.includes(term.sql),
  );
}

function toField(
  name: string,
  {
    declaration,
    kind,
    column,
    isSortable,
    table,
    models,
  }: {
    declaration: FieldDeclaration;
    kind: FieldKind;
    column: PgColumn | undefined;
    isSortable: boolean;
    table: TableShape;
    models: readonly Model[];
  },
): Field {
  return {
    name,
    kind,
    labels: declaration.labels,
    help: declaration.help ?? NO_HELP,
    placeholders: declaration.placeholders ?? [],
    isRequired: declaration.required ?? (column?.notNull === true && !column.hasDefault),
    isNullable: !column?.notNull,
    isSortable,
    isUnique: column !== undefined && isUniqueColumn(column, table),
    ...toRules(declaration),
    ...toKindOptions(declaration),
    models: kind.knowsModels ? models : [],
    column: column?.name ?? null,
    sql: toFieldSql(declaration, column?.name ?? null),
    createDefaultSql: toCreateDefault(kind, column, table.name),
    initial: toInitial(kind, column),
  };
}

/** A field as the engine knows it; undefined where its kind is unknown. Faults go to `report`. */
function buildField(
  name: string,
  declaration: FieldDeclaration,
  table: TableShape,
  { model, models }: { model: Pick<ModelDeclaration, "large" | "sorts">; models: readonly Model[] },
  report: Report,
): Field | undefined {
  const kind = findKind(name, declaration, report);
  if (!kind) return undefined;
  checkField(name, declaration, kind, report);
  const hasColumn = declaration.sql === undefined && kind.columnTypes.length > 0;
  const column = hasColumn ? table.columns.get(declaration.column ?? name) : undefined;
  if (hasColumn) checkColumn(name, declaration, kind, column, report);
  const isSortable = kind.isSortable && (!model.large || (model.sorts ?? []).includes(name));
  return toField(name, { declaration, kind, column, isSortable, table, models });
}

/** The key as a field, for filters and sorts. It stands in no description: records have their `id` anyway. */
function buildIdField(table: TableShape, report: Report): Field | undefined {
  const column = table.columns.get("id");
  const name = column?.getSQLType() === "bigint" ? "big_integer" : "integer";
  const kind = KINDS[name];
  if (!kind || column?.getSQLType() !== (name === "integer" ? name : "bigint")) {
    report("id", "the table needs an integer column id");
    return undefined;
  }
  const declaration = { kind: name, labels: { en: "Number", tr: "Numara" }, readOnly: true };
  return toField("id", { declaration, kind, column, isSortable: true, table, models: [] });
}

/** A declaration as a model, its relations not yet linked; undefined without a key. `models` are those that the registry holds. */
export function buildModel(
  declaration: ModelDeclaration,
  contentTypeId: number,
  models: readonly Model[],
  report: Report,
): Model | undefined {
  const table = readTableShape(declaration.table);
  const idField = buildIdField(table, report);
  const fields = Object.entries(declaration.fields)
    .map(([name, field]) => buildField(name, field, table, { model: declaration, models }, report))
    .filter((field) => field !== undefined);
  const fieldByName = new Map(fields.map((field) => [field.name, field]));
  checkModel(declaration, fieldByName, report);
  checkSearch(declaration, fieldByName, table, report);
  checkSorts(declaration, fieldByName, table, report);
  checkCreate(declaration, fieldByName, table, report);
  if (!idField) return undefined;
  const known = new Map([["id", idField], ...fieldByName]);
  return {
    key: `${declaration.app}.${declaration.name}`,
    app: declaration.app,
    name: declaration.name,
    table: table.name,
    contentTypeId,
    idType: idField.kind.name === "big_integer" ? "bigint" : "integer",
    idField,
    labels: declaration.labels,
    pluralLabels: declaration.pluralLabels,
    help: declaration.help,
    fields,
    fieldByName,
    titleField: declaration.title,
    listColumns: declaration.list,
    searchFields: declaration.search ?? [],
    searchPhrases: declaration.searchPhrases ?? {},
    isSearchable: (declaration.search ?? []).length > 0,
    searchIsBuilt: declaration.searchIsBuilt ?? false,
    hasWriter: declaration.hasWriter ?? false,
    stepUp: declaration.stepUp ?? {},
    isSingleton: declaration.singleton ?? false,
    isLarge: declaration.large ?? false,
    hasTimestamps: table.columns.has("created_at") && table.columns.has("updated_at"),
    defaultSort: declaration.defaultSort,
    access: declaration.access,
    rows: buildRowRules(declaration, known, models, report),
    sitePath: declaration.sitePath ?? null,
    site: declaration.site ?? null,
    resume: declaration.resume ?? null,
  };
}
