import type { PgTable } from "drizzle-orm/pg-core";

/** A text in both languages, both required: what declarations say to people. */
export interface Labels {
  en: string;
  tr: string;
}

/** One of the values that a choice may have. */
export interface Choice {
  value: string;
  labels: Labels;
}

/** The table between the rows of a relation to many: its columns are foreign keys, together its key. */
export interface Through {
  table: string;
  /** Column that names the row which has the field. */
  from: string;
  /** Column that names the related row. */
  to: string;
}

/** Presentation of one column. Only declared columns exist for the generic endpoints; all others stay inside the server. */
export interface FieldDeclaration {
  /** Name of a kind: each file of `kinds/` exports one. */
  kind: string;
  labels: Labels;
  help?: Labels;
  /** Refuse an empty value; by default a column that is NOT NULL without a default is required. */
  required?: boolean;
  readOnly?: boolean;
  maxLength?: number;
  accept?: readonly string[];
  /** `app.name` of the model that a relation points to. */
  related?: string;
  /** Of a relation to many. */
  through?: Through;
  choices?: readonly Choice[];
  /** Of a text: what a reader's page puts something else in the place of, as it is written, and what that is. */
  placeholders?: readonly Choice[];
  /** Of a decimal: digits in all, and after the point. */
  digits?: { total: number; scale: number };
  /** Of an integer or a decimal: what may be written, both ends included. */
  range?: { min: number; max: number };
  /** Column of the table, where it is not called as the field. */
  column?: string;
  /** Of a computed field: SQL over a row, called `{row}`; `of` is the kind whose values it has. */
  sql?: string;
  of?: string;
  /** Audit entries keep only that it changed, and exports leave it out. */
  secret?: boolean;
  /** Of a read-only relation to people: who creates a row. The log keeps their number alone, for the name goes with the account. */
  author?: boolean;
  /** Of another relation to people: the log keeps their number alone as well. */
  person?: boolean;
  /** Lowest level that knows of the field, and that may write it, where they are above the model's. */
  viewLevel?: number;
  writeLevel?: number;
}

/** Lowest access level that may do a thing; null: nobody through the generic endpoints. */
export interface ModelAccess {
  view: number | null;
  create: number | null;
  update: number | null;
  delete: number | null;
}

export type ModelOperation = keyof ModelAccess;

/**
 * What asks whether it is still the person who logged in, besides the level: somebody who finds a browser open must not do it. Of a
 * change a list of fields may be named: one that changes none of them doesn't ask.
 */
export interface StepUpDeclaration {
  create?: true;
  update?: true | readonly string[];
  delete?: true;
  /** Its rows are about people. */
  export?: true;
}

export interface SortTerm {
  field: string;
  direction: "asc" | "desc";
}

/** A section of the page at `sitePath`, made of a model's rows in their default order. */
export interface SectionDeclaration {
  /** Its place on the page; the sections of the product are 100 apart. */
  order: number;
  /** In place of the plural. */
  heading?: Labels;
  /** Field above each item, in place of the model's title, which stands in where it is empty. */
  title?: string;
  /** Fields in the quiet line below it. */
  line?: readonly string[];
  /** Lists of short words, shown in one row. */
  words?: readonly string[];
  /** Fields that the page leaves out. */
  omit?: readonly string[];
  /** Property of schema.org's Person that the items are. */
  person?: string;
}

/** What visitors see of a model: its rows on a page, and their names where a row that they see is related to them. */
export interface SiteDeclaration {
  /** SQL over a row, called `{row}`: which rows visitors meet. Row rules of level 0 hold too, and `is_hidden` hides. */
  where?: string;
  /** SQL over a row, called `{row}`: what visitors call it, where that isn't the title. */
  title?: string;
  section?: SectionDeclaration;
  /** Another page shows its rows too: they stay there when the owner hides the section. */
  isElsewhere?: boolean;
}

/** The items of a JSON Resume file that a model's rows are. */
export interface ResumeDeclaration {
  /** Where their list stands, with dots between keys; null: the row is the file itself. */
  at: string | null;
  /** Field → key of an item, with dots between keys. */
  keys: Readonly<Record<string, string>>;
  /** Keys before version 1.0, still in most public files; read where the key itself is missing. */
  olderKeys?: Readonly<Record<string, string>>;
  /** Fields by which people tell items apart, the weightiest first. */
  names: readonly string[];
}

/** The reader's own id, as a value of a row rule's `where`. */
export const ME = "@me";
/** The content types whose every row the reader may view, as a value of a row rule's `where`. */
export const VIEWABLE_MODELS = "@viewable_models";

/**
 * Rows that people below a level don't meet, or may not change: `where` has the shape of the query's `where`, and the value
 * `@me` stands for the reader's own id.
 */
export interface RowRuleDeclaration {
  belowLevel: number;
  operations: readonly ("view" | "update" | "delete")[];
  where: unknown;
}

/** One content model: a Drizzle table and how people meet it. Data only, so that a model can also come from elsewhere. */
export interface ModelDeclaration {
  app: string;
  name: string;
  /** Its place among the models of the console; behind all others where not said. */
  order?: number;
  table: PgTable;
  labels: Labels;
  pluralLabels: Labels;
  help: Labels;
  fields: Readonly<Record<string, FieldDeclaration>>;
  title: string;
  list: readonly string[];
  /** Fields that a search reads. They stand in a folded column with a trigram index: see `searchColumn` and decision 013. */
  search?: readonly string[];
  /** Phrases that a search reads as others: what is stored in one language and shown in two. */
  searchPhrases?: Readonly<Record<string, string>>;
  /** The table has no `search` column: it is built beside a running server, for a large table that exists (decision 013). */
  searchIsBuilt?: boolean;
  singleton?: boolean;
  defaultSort: readonly SortTerm[];
  /** It may have a million rows: totals are estimates, and lists are sorted by `sorts` alone, each of which has its indexes. */
  large?: boolean;
  sorts?: readonly string[];
  access: ModelAccess;
  stepUp?: StepUpDeclaration;
  /** A `RecordWriter` creates its rows, and fills columns that are no fields. */
  hasWriter?: boolean;
  rows?: readonly RowRuleDeclaration[];
  /** The public page that shows its rows. */
  sitePath?: string;
  /** Without it visitors see none of its rows, whatever is related to them. */
  site?: SiteDeclaration;
  resume?: ResumeDeclaration;
}

/** Checks a declaration's shape while typing; the registry checks the rest at start. */
export function declareModel(declaration: ModelDeclaration): ModelDeclaration {
  return declaration;
}

/** Access of content that staff edit and only superusers delete (specification B section 6). */
export const STAFF_CONTENT: ModelAccess = { view: 10, create: 10, update: 10, delete: 999 };

/** Access of what the server alone writes. */
export const READ_ONLY: ModelAccess = { view: 10, create: null, update: null, delete: null };

/** The two fields that every content table has. */
export const TIMESTAMP_FIELDS = {
  created_at: { kind: "date_time", labels: { en: "Created", tr: "Oluşturulma" }, readOnly: true },
  updated_at: { kind: "date_time", labels: { en: "Updated", tr: "Güncellenme" }, readOnly: true },
} satisfies Record<string, FieldDeclaration>;

/** The languages of the site, each in the reader's words. */
export const LANGUAGE_CHOICES: readonly Choice[] = [
  { value: "en", labels: { en: "English", tr: "İngilizce" } },
  { value: "tr", labels: { en: "Turkish", tr: "Türkçe" } },
];
