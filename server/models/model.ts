import type * as z from "zod/mini";
import type { Control, FilterOperator } from "#contract/content/models.ts";
import type { Language } from "#contract/languages.ts";
import type { Reader } from "../base/actor.ts";
import type {
  Choice,
  FieldDeclaration,
  Labels,
  ModelAccess,
  ResumeDeclaration,
  SiteDeclaration,
  SortTerm,
  StepUpDeclaration,
  Through,
} from "./declare.ts";

/** Adds a value to the parameters of a statement and gives its placeholder (`$3`), or writes it as a literal. */
export type AddParameter = (value: unknown) => string;

/** One column of an export: its header and the SQL of its text. People wrote a `free` text: it may look like a formula. */
export interface ExportColumn {
  header: string;
  sql: string;
  free: boolean;
  /** How a spreadsheet shows it; `text` where not said. Dates are ISO text in `sql` all the same. */
  cell?: "text" | "number" | "boolean" | "date" | "datetime";
}

/** A filter's value: one text, or several for `in` and `range`. */
export type FilterValue = string | readonly string[];

/**
 * What a kind of field knows about its values. `column` arguments are SQL of the value: a quoted, qualified column, a computed
 * expression in brackets, or, for relations to many, the row's id. A kind never sees a request: it turns checked values into SQL
 * and back. Each file of `kinds/` exports one as `kind`; the registry finds it there.
 */
export interface FieldKind {
  name: string;
  /** The documented Django name. */
  wireType: string;
  control: Control;
  /** Column types it can live in, as PostgreSQL's `format_type` writes them. Empty: it has no column of its own. */
  columnTypes: readonly string[];
  operators: readonly FilterOperator[];
  isSortable: boolean;
  /** Code of the fault where a text has not the right format; `invalid_format` where not said. */
  formatFault?: string;
  relates?: "one" | "many";
  /** Values are addresses of stored files. */
  holdsFile?: boolean;
  /** Texts in which addresses of stored files may stand. */
  holdsAddresses?: boolean;
  /** Its SQL speaks of other models: `Field.models` has them all. */
  knowsModels?: boolean;
  /** Values are texts that show stored pictures by their addresses. */
  embedsPictures?: boolean;
  /** What is wrong with a declaration of this kind, beyond what the registry checks of all. */
  findFault?(declaration: FieldDeclaration, kinds: Readonly<Record<string, FieldKind>>): string | undefined;
  /** A kind that is made for each declaration, from the others (`computed`). */
  build?(declaration: FieldDeclaration, kinds: Readonly<Record<string, FieldKind>>): FieldKind;
  /** Schema of a written value that isn't null. */
  valueSchema(field: Field): z.ZodMiniType<unknown>;
  /** Whether a value counts as empty, so that a required field refuses it. */
  isEmpty(value: unknown): boolean;
  /** How a checked value becomes a parameter, and the cast of its placeholder. */
  toParameter(value: unknown): unknown;
  parameterCast: string;
  /** SQL of the value as it travels. */
  readSql(column: string, field: Field, reader: Reader): string;
  /** The same inside JSON that PostgreSQL makes (audit, JSON exports), where that differs from `readSql`. */
  jsonSql?(column: string, field: Field, reader: Reader): string;
  /** SQL of the text that stands for the value in `repr` and relations, as people read it. */
  textSql(column: string, lang: Language, field: Field): string;
  sortSql(column: string, lang: Language): string;
  /** SQL of the text that searches read; without it a model can't be searched by such a field. */
  searchSql?(column: string): string;
  /** SQL of one filter, or undefined when the value isn't one of this kind. `isnull` comes here for relations to many alone. */
  filterSql(
    column: string,
    operator: FilterOperator,
    value: FilterValue,
    add: AddParameter,
    field: Field,
  ): string | undefined;
  /** SQL of the value that a new row gets when none is written, over a quoted table. */
  createDefaultSql?(name: string, table: string): string;
  exportColumns(column: string, field: Field, reader: Reader): ExportColumn[];
}

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
  /** A list may be sorted by it: of a large model only what has an index for that. */
  isSortable: boolean;
  maxLength: number | null;
  /** Media types a file may have. */
  accept: readonly string[];
  choices: readonly Choice[];
  placeholders: readonly Choice[];
  /** Of a decimal: digits in all, and after the point. */
  digits: { total: number; scale: number } | null;
  /** Of an integer or a decimal: what may be written, both ends included. */
  range: { min: number; max: number } | null;
  /** The model a relation points to; set by the registry. */
  related: Model | null;
  through: Through | null;
  /** Every model of the registry, where the kind asks for them; it fills up while the registry is built. */
  models: readonly Model[];
  /** Audit entries keep only that it changed, and whether there was a value. */
  isSecret: boolean;
  /** An index allows each value once, perhaps in any case, or among some of the rows. */
  isUnique: boolean;
  /** The engine fills in who creates a row. */
  isAuthor: boolean;
  /** Of people, whose names go with their accounts: the log keeps their numbers alone. */
  isPerson: boolean;
  /** Lowest level that knows of the field, and that may write it; 0: whoever may do so with the model. */
  viewLevel: number;
  writeLevel: number;
  /** Its column of the table; null for computed ones and relations to many. */
  column: string | null;
  /** SQL of the value for a row under an alias: what a kind gets as `column`. */
  sql(alias: string): string;
  /** SQL of the value that a new row gets when none is written, over `table`. */
  createDefaultSql: string | null;
  /** That value, where the table's definition says it, for a form to begin with. */
  initial: string | number | boolean | null;
}

/** What rows must fulfil: groups of conditions on fields whose names and operators exist. */
export type Condition =
  | { type: "and" | "or"; of: readonly Condition[] }
  | { type: "not"; of: Condition }
  | { type: "field"; field: Field; operator: FilterOperator; value: FilterValue }
  /** A value that the reader decides: their own id. Of row rules only. */
  | { type: "me"; field: Field }
  /** A content type whose every row the reader may view, or none. `models` are all that there are. Of row rules only. */
  | { type: "viewable"; field: Field; models: readonly Model[] };

/** Rows that people below a level don't meet: they see, or may change or delete, only those that fulfil `where`. */
export interface RowRule {
  belowLevel: number;
  operations: readonly ("view" | "update" | "delete")[];
  where: Condition;
}

/** The row rules that hold for a level. */
export function rulesFor(
  model: Pick<Model, "rows">,
  operation: RowRule["operations"][number],
  level: number,
): readonly RowRule[] {
  return model.rows.filter((rule) => rule.operations.includes(operation) && level < rule.belowLevel);
}

/** One content model as the engine knows it. The table has an `id`, integer or bigint. */
export interface Model {
  /** `app.name`: how caches, audit and notices call it. */
  key: string;
  app: string;
  name: string;
  table: string;
  contentTypeId: number;
  /** Type of the id. It travels as a number. */
  idType: "integer" | "bigint";
  /** The id as a field called `id`, for filters and sorts. It is none of `fields`. */
  idField: Field;
  labels: Labels;
  pluralLabels: Labels;
  help: Labels;
  fields: readonly Field[];
  fieldByName: ReadonlyMap<string, Field>;
  /** The field that people call a row by. */
  titleField: string;
  listColumns: readonly string[];
  /** Names of the fields that a search reads; empty: it can't be searched. */
  searchFields: readonly string[];
  isSearchable: boolean;
  searchPhrases: Readonly<Record<string, string>>;
  /** Its search column comes from `search-build.ts`, not from a migration. */
  searchIsBuilt: boolean;
  /** A `RecordWriter` writes its rows. */
  hasWriter: boolean;
  stepUp: StepUpDeclaration;
  isSingleton: boolean;
  /** It may have a million rows: see `ModelDeclaration.large`. */
  isLarge: boolean;
  hasTimestamps: boolean;
  defaultSort: readonly SortTerm[];
  access: ModelAccess;
  rows: readonly RowRule[];
  sitePath: string | null;
  site: SiteDeclaration | null;
  resume: ResumeDeclaration | null;
}

/**
 * Whether a sort by `sql` can meet NULL, where `value` is SQL of the field's value: what a column says of NULL holds only while
 * the sort is by the column itself.
 */
export function maySortNull(
  field: Pick<Field, "column" | "isNullable">,
  value: string,
  sql: string,
): boolean {
  const isBareColumn = field.column !== null && (sql === value || sql.startsWith(`${value} COLLATE `));
  return field.isNullable || !isBareColumn;
}
