import type * as z from "zod/mini";
import type { Language } from "#contract/languages.ts";
import type { Control, FilterOperator, WIRE_TYPES } from "#contract/models.ts";

/** Adds a value to the parameters of a statement and gives its placeholder (`$3`). */
export type AddParameter = (value: unknown) => string;

/** One column of an export: its header and the SQL of its text. People wrote a `free` text: it may look like a formula. */
export interface ExportColumn {
  header: string;
  sql: string;
  free: boolean;
}

/**
 * What a kind of field knows about its values. `column` arguments are quoted, qualified SQL identifiers.
 * A kind never sees a request: it turns checked values into SQL and back.
 */
export interface FieldKind {
  name: string;
  wireType: (typeof WIRE_TYPES)[number];
  control: Control;
  /** Column types it can live in, as PostgreSQL's `format_type` writes them. */
  columnTypes: readonly string[];
  operators: readonly FilterOperator[];
  isSortable: boolean;
  /** Schema of a written value that isn't null. */
  valueSchema(field: Field): z.ZodMiniType<unknown>;
  /** Whether a value counts as empty, so that a required field refuses it. */
  isEmpty(value: unknown): boolean;
  /** How a checked value becomes a parameter, and the cast of its placeholder. */
  toParameter(value: unknown): unknown;
  parameterCast: string;
  /** SQL of the value as it travels. */
  readSql(column: string, field: Field, lang: Language): string;
  /** SQL of the text that stands for the value in `repr` and relations. */
  textSql(column: string, lang: Language): string;
  sortSql(column: string, lang: Language): string;
  /** SQL of one filter, or undefined when the text of the value isn't one of this kind. `isnull` never comes here. */
  filterSql(column: string, operator: FilterOperator, value: string, add: AddParameter): string | undefined;
  exportColumns(column: string, field: Field): ExportColumn[];
}

/** A text in both languages, both required: what declarations say to people. */
export interface Labels {
  en: string;
  tr: string;
}

/** Lowest access level that may do a thing; null: nobody through the generic doors. */
export interface ModelAccess {
  view: number | null;
  create: number | null;
  update: number | null;
  delete: number | null;
}
export type ModelOperation = keyof ModelAccess;

/** One field as the engine knows it: plain data, whatever it was declared with. */
export interface Field {
  name: string;
  kind: FieldKind;
  labels: Labels;
  help: Labels;
  isRequired: boolean;
  /** The column takes NULL. */
  isNullable: boolean;
  isReadOnly: boolean;
  maxLength: number | null;
  /** Media types a file may have. */
  accept: readonly string[];
  /** The model a relation points to; set by the registry. */
  related: Model | null;
  /** SQL of the value that a new row gets when none is written, over `table`. */
  createDefaultSql: string | null;
}

export interface SortTerm {
  field: string;
  direction: "asc" | "desc";
}

/** One content model as the engine knows it. The table has an integer `id`. */
export interface Model {
  /** `app.name`: how caches, audit and notices call it. */
  key: string;
  app: string;
  name: string;
  table: string;
  contentTypeId: number;
  labels: Labels;
  pluralLabels: Labels;
  help: Labels;
  fields: readonly Field[];
  fieldByName: ReadonlyMap<string, Field>;
  /** The field that people call a row by. */
  titleField: string;
  listColumns: readonly string[];
  isSearchable: boolean;
  isSingleton: boolean;
  hasTimestamps: boolean;
  defaultSort: readonly SortTerm[];
  access: ModelAccess;
  sitePath: string | null;
}

/** Quotes a name for SQL. Names come from the registry only, never from a request. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
