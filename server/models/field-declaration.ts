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

/** Presentation of one column. Only declared columns exist for the generic doors; all others stay inside the server. */
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
/** Lowest access level that may do a thing; null: nobody through the generic doors. */
export interface ModelAccess {
  view: number | null;
  create: number | null;
  update: number | null;
  delete: number | null;
}

export type ModelOperation = keyof ModelAccess;
export interface SortTerm {
  field: string;
  direction: "asc" | "desc";
}
