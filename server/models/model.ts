import type { LocalizedText } from "#contract/languages.ts";
import type { FieldKind } from "./kind.ts";

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

/** The side of a localized text that is shown: the language's own, else the other. */
export function pickLabel(labels: Labels | LocalizedText, lang: "en" | "tr"): string {
  return labels[lang] ?? labels[lang === "en" ? "tr" : "en"] ?? "";
}
