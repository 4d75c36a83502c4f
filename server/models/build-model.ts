import { buildField, buildIdField } from "./build-field.ts";
import { checkCreate } from "./check-create.ts";
import { checkModel } from "./check-model.ts";
import { checkSorts } from "./check-sorts.ts";
import type { ModelDeclaration } from "./declare.ts";
import type { Model } from "./model.ts";
import { buildRowRules } from "./registry/build-model.ts";
import type { Report } from "./registry/check-declaration.ts";
import { checkSearch } from "./registry/check-table.ts";
import { readTableShape } from "./table-shape.ts";

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
    .map(([name, field]) => buildField(name, field, table, declaration, report))
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
    isSingleton: declaration.singleton ?? false,
    isLarge: declaration.large ?? false,
    hasTimestamps: table.columns.has("created_at") && table.columns.has("updated_at"),
    defaultSort: declaration.defaultSort,
    access: declaration.access,
    rows: buildRowRules(declaration, known, models, report),
    sitePath: declaration.sitePath ?? null,
  };
}
