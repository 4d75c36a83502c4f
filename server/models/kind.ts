import type * as z from "zod/mini";
import type { Language } from "#contract/languages.ts";
import type { Control, FilterOperator, WIRE_TYPES } from "#contract/models.ts";
import type { Field } from "./model.ts";

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
