import type { PgColumn } from "drizzle-orm/pg-core";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { FieldDeclaration, Labels, ModelDeclaration } from "../declare.ts";
import type { Field, FieldKind } from "../model.ts";

/** Takes a fault of a declaration, at a field or, with null, at the model. */
export type Report = (field: string | null, fault: string) => void;

/** Collects faults of one declaration under its file's name. */
export function createReporter(declaration: { app: string; name: string }, faults: string[]): Report {
  const { app, name } = declaration;
  const file = `server/models/declared/${name.replaceAll("_", "-")}.ts`;
  return (field, fault) =>
    void faults.push(`${file}: ${app}.${name}${field ? `, field ${field}` : ""}: ${fault}`);
}

/** Whether a text lacks one of its languages. A declaration that is plain data may lack the key. */
function isBlank(labels: Partial<Labels> | undefined): boolean {
  return !labels?.en?.trim() || !labels.tr?.trim();
}

/** Kinds that check what is written against the declared range. */
const HAS_RANGE: readonly string[] = ["integer", "decimal"];

/** Names that a record, or the engine's SQL, has for something else. */
const TAKEN_NAMES = ["id", "repr", "search"];

function checkTexts(name: string, declaration: FieldDeclaration, report: Report): void {
  if (isBlank(declaration.labels)) report(name, "a label is missing in one language");
  if (declaration.help && isBlank(declaration.help)) report(name, "a help text is missing in one language");
  for (const { value, labels } of declaration.choices ?? [])
    if (isBlank(labels)) report(name, `the choice "${value}" lacks a label in one language`);
  for (const { value, labels } of declaration.placeholders ?? [])
    if (isBlank(labels)) report(name, `the placeholder "${value}" lacks a label in one language`);
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
  if (kind.control === "read-only" && declaration.readOnly === false)
    report(name, `nothing writes a field of the kind "${declaration.kind}"`);
  if (declaration.range && !HAS_RANGE.includes(kind.name))
    report(name, "only an integer or a decimal has a range");
  if (declaration.author && (kind.relates !== "one" || !declaration.readOnly))
    report(name, "who creates a row is a read-only relation");
  // The log would have to name several numbers as one.
  if (declaration.person && kind.relates !== "one") report(name, "a person is a relation to one");
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

/** NaN and its like let nobody in, or everybody: comparisons with them are never true. */
function isLevel(level: number): boolean {
  return Number.isInteger(level) && level >= 0 && level <= ACCESS_LEVEL.superuser;
}

/** Whoever writes rows sees them: the answer to a write is the record. */
function checkModelAccess({ access }: ModelDeclaration, report: Report): void {
  const view = access.view ?? Number.POSITIVE_INFINITY;
  for (const operation of ["view", "create", "update", "delete"] as const) {
    const level = access[operation];
    if (level === null) continue;
    if (!isLevel(level)) report(null, `${operation} from level ${level} on, which is no level`);
    else if (level < view) report(null, `${operation} from level ${level} on, but view only from ${view} on`);
  }
}

/** Levels of a declaration are levels, and none lets people do more than they see. */
function checkAccess(declaration: ModelDeclaration, report: Report): void {
  checkModelAccess(declaration, report);
  for (const { belowLevel } of declaration.rows ?? []) {
    if (!isLevel(belowLevel)) report(null, `a row rule below level ${belowLevel}, which is no level`);
  }
  for (const [name, { viewLevel = 0, writeLevel = viewLevel }] of Object.entries(declaration.fields)) {
    if (!isLevel(viewLevel) || !isLevel(writeLevel)) {
      report(name, `seen from level ${viewLevel} and written from ${writeLevel} on: one is no level`);
    } else if (writeLevel < viewLevel) {
      report(name, `written from level ${writeLevel} on, but seen only from ${viewLevel} on`);
    }
  }
}

/** What asks for a recent log-in names fields that are there, and something that people may do. */
function checkStepUp({ stepUp = {}, fields, access }: ModelDeclaration, report: Report): void {
  const { export: _export, ...writes } = stepUp;
  for (const operation of ["create", "update", "delete"] as const)
    if (writes[operation] && access[operation] === null)
      report(null, `${operation} asks for a recent log-in, but nobody may do it`);
  for (const name of writes.update === true ? [] : (writes.update ?? []))
    if (!fields[name]) report(name, "a change of it asks for a recent log-in, but there is no such field");
}

const MAX_LIST_COLUMNS = 5;

const ITEM_COLUMNS = ["position", "is_hidden", "extra"];

/** Kinds whose values are texts or lists of texts, as JSON Resume has them. */
const RESUME_KINDS: ReadonlySet<string> = new Set([
  "text",
  "long_text",
  "localized_text",
  "localized_long_text",
  "localized_list",
  "url",
  "email",
  "partial_date",
  "file",
  "image",
]);

function checkTitle(declaration: ModelDeclaration, fields: ReadonlyMap<string, Field>, report: Report): void {
  const { title, access } = declaration;
  const field = fields.get(title);
  if (!field) report(title, "the title names no declared field");
  // Whoever sees a row, or one that is related to it, reads its title.
  else if (field.viewLevel > (access.view ?? 0) || field.isSecret)
    report(title, "a field that not everybody sees can't be the title");
  else if (field.kind.relates === "many") report(title, "a relation to many can't be the title");
}

function checkList(declaration: ModelDeclaration, fields: ReadonlyMap<string, Field>, report: Report): void {
  const { list, access } = declaration;
  if (list.length === 0 || list.length > MAX_LIST_COLUMNS)
    report(null, `a list has 1 to ${MAX_LIST_COLUMNS} columns, not ${list.length}`);
  for (const [index, name] of list.entries()) {
    const field = fields.get(name);
    if (list.indexOf(name) < index) report(name, "it is a column of the list twice");
    else if (!field) report(name, "the list names no declared field");
    else if (field.viewLevel > (access.view ?? 0))
      report(name, "a field that not everybody sees can't be a column of the list");
  }
}

/** What a public page shows and a résumé file holds. */
function checkPublic(
  { site, resume, sitePath }: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  report: Report,
): void {
  const { heading, title, line = [], words = [], omit = [] } = site?.section ?? {};
  for (const name of [title, ...line, ...words, ...omit]) {
    if (name !== undefined && !fields.has(name)) report(name, "the section names no declared field");
  }
  if (heading && isBlank(heading)) report(null, "the section's heading is missing in one language");
  if (site?.section && !sitePath) report(null, "a section needs the page's sitePath");
  if (resume && (resume.at ? ITEM_COLUMNS : ["extra"]).some((name) => !fields.has(name)))
    report(null, "rows of a résumé need the columns of itemColumns()");
  for (const name of Object.keys(resume?.keys ?? {})) {
    const kind = fields.get(name)?.kind;
    if (!kind) report(name, "the résumé names no declared field");
    else if (!RESUME_KINDS.has(kind.name))
      report(name, `a résumé file has no values of the kind ${kind.name}`);
  }
}

/** What a declaration says of the model as a whole. */
export function checkModel(
  declaration: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  report: Report,
): void {
  for (const part of ["labels", "pluralLabels", "help"] as const) {
    if (isBlank(declaration[part])) report(null, `${part} are missing in one language`);
  }
  checkAccess(declaration, report);
  checkStepUp(declaration, report);
  checkTitle(declaration, fields, report);
  checkList(declaration, fields, report);
  checkPublic(declaration, fields, report);
}
