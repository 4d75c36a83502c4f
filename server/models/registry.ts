import { getTableName } from "drizzle-orm";
import { getTableConfig, type PgColumn } from "drizzle-orm/pg-core";
import type { FieldDeclaration, ModelDeclaration } from "./declare.ts";
import { KINDS } from "./kinds/all.ts";
import { type Field, type Labels, type Model, quoteName } from "./model.ts";

const MAX_LIST_COLUMNS = 5;
const NO_HELP: Labels = { en: "", tr: "" };

/** Faults in declarations, all at once, each with file and field. Stops the start. */
export class RegistryError extends Error {
  override name = "RegistryError";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The content models are declared wrongly:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

/** All content models, by key and by content type id. */
export interface Registry {
  models: readonly Model[];
  byKey: ReadonlyMap<string, Model>;
  byContentTypeId: ReadonlyMap<number, Model>;
}

/** Key of a declaration before it is a model. */
export function toModelKey(declaration: Pick<ModelDeclaration, "app" | "name">): string {
  return `${declaration.app}.${declaration.name}`;
}

function isBlank(labels: Labels): boolean {
  return labels.en.trim() === "" || labels.tr.trim() === "";
}

/** Collects faults of one declaration under its file's name. */
function createReporter(declaration: ModelDeclaration, faults: string[]) {
  const file = `server/models/declared/${declaration.name.replaceAll("_", "-")}.ts`;
  return (field: string | null, fault: string) =>
    faults.push(`${file}: ${toModelKey(declaration)}${field ? `, field ${field}` : ""}: ${fault}`);
}
type Report = ReturnType<typeof createReporter>;

function buildField(
  name: string,
  declaration: FieldDeclaration,
  column: PgColumn | undefined,
  table: string,
  report: Report,
): Field | undefined {
  const kind = KINDS[declaration.kind];
  if (!kind) {
    report(name, `unknown kind "${declaration.kind}"`);
    return undefined;
  }
  if (!column) {
    report(name, `the table ${table} has no such column`);
    return undefined;
  }
  if (!kind.columnTypes.includes(column.getSQLType())) {
    report(
      name,
      `kind "${kind.name}" wants a column of ${kind.columnTypes.join(" or ")}, not ${column.getSQLType()}`,
    );
  }
  if (isBlank(declaration.labels)) report(name, "a label is missing in one language");
  if (declaration.help && isBlank(declaration.help)) report(name, "a help text is missing in one language");
  if (kind.name === "file" && !declaration.accept?.length)
    report(name, "a file field says which media types it accepts");
  return {
    name,
    kind,
    labels: declaration.labels,
    help: declaration.help ?? NO_HELP,
    isRequired: declaration.required ?? (column.notNull && !column.hasDefault),
    isNullable: !column.notNull,
    isReadOnly: declaration.readOnly ?? false,
    maxLength: declaration.maxLength ?? null,
    accept: declaration.accept ?? [],
    related: null,
    createDefaultSql:
      kind.name === "order"
        ? // Behind the last one; beside it where that has the highest number that there is.
          `(SELECT least(coalesce(max(${quoteName(name)}), 0)::bigint + 1, 2147483647) FROM ${quoteName(table)})`
        : null,
  };
}

function checkReferences(
  declaration: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  report: Report,
): void {
  if (!fields.has(declaration.title)) report(declaration.title, "the title names no declared field");
  if (declaration.list.length === 0 || declaration.list.length > MAX_LIST_COLUMNS) {
    report(null, `a list has 1 to ${MAX_LIST_COLUMNS} columns, not ${declaration.list.length}`);
  }
  for (const name of declaration.list)
    if (!fields.has(name)) report(name, "the list names no declared field");
  for (const { field } of declaration.defaultSort) {
    if (!fields.get(field)?.kind.isSortable) report(field, "the default sort names no sortable field");
  }
}

function buildModel(declaration: ModelDeclaration, contentTypeId: number, faults: string[]): Model {
  const report = createReporter(declaration, faults);
  const table = getTableName(declaration.table);
  const columns = new Map(getTableConfig(declaration.table).columns.map((column) => [column.name, column]));
  for (const part of ["labels", "pluralLabels", "help"] as const) {
    if (isBlank(declaration[part])) report(null, `${part} are missing in one language`);
  }
  if (columns.get("id")?.getSQLType() !== "integer") report("id", "the table needs an integer column id");
  if (declaration.search && !columns.has("search")) report("search", "the table has no search column");
  const fields = Object.entries(declaration.fields)
    .map(([name, field]) => buildField(name, field, columns.get(name), table, report))
    .filter((field) => field !== undefined);
  const fieldByName = new Map(fields.map((field) => [field.name, field]));
  checkReferences(declaration, fieldByName, report);
  return {
    key: toModelKey(declaration),
    app: declaration.app,
    name: declaration.name,
    table,
    contentTypeId,
    labels: declaration.labels,
    pluralLabels: declaration.pluralLabels,
    help: declaration.help,
    fields,
    fieldByName,
    titleField: declaration.title,
    listColumns: declaration.list,
    isSearchable: declaration.search ?? false,
    isSingleton: declaration.singleton ?? false,
    hasTimestamps: columns.has("created_at") && columns.has("updated_at"),
    defaultSort: declaration.defaultSort,
    access: declaration.access,
    sitePath: declaration.sitePath ?? null,
  };
}

function linkRelations(
  declarations: readonly ModelDeclaration[],
  byKey: Map<string, Model>,
  faults: string[],
): void {
  for (const declaration of declarations) {
    const report = createReporter(declaration, faults);
    for (const [name, field] of Object.entries(declaration.fields)) {
      if (field.kind !== "relation") continue;
      const related = byKey.get(field.related ?? "");
      const known = byKey.get(toModelKey(declaration))?.fieldByName.get(name);
      if (!related) report(name, `a relation to "${field.related ?? ""}", which is no declared model`);
      else if (known) known.related = related;
    }
  }
}

/**
 * Turns declarations into models. `contentTypeIds` maps each key to its row of `content_type`.
 * @throws RegistryError with every fault, each with its file and field.
 */
export function buildRegistry(
  declarations: readonly ModelDeclaration[],
  contentTypeIds: ReadonlyMap<string, number>,
): Registry {
  const faults: string[] = [];
  const byKey = new Map<string, Model>();
  for (const declaration of declarations) {
    const key = toModelKey(declaration);
    if (byKey.has(key)) createReporter(declaration, faults)(null, "declared twice");
    byKey.set(key, buildModel(declaration, contentTypeIds.get(key) ?? 0, faults));
  }
  linkRelations(declarations, byKey, faults);
  if (faults.length > 0) throw new RegistryError(faults);
  const models = [...byKey.values()];
  return { models, byKey, byContentTypeId: new Map(models.map((model) => [model.contentTypeId, model])) };
}
