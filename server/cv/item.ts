import type { Language } from "#contract/languages.ts";
import type { JsonObject } from "./json.ts";
import type { MappedField, SectionName } from "./sections.ts";

/** A text that isn't blank, a list that isn't empty, the key of a file, or nothing. */
export type Value = string | readonly string[] | null;

/** What an item says in one language: values by column, and the rest of what the file said. */
export interface Item {
  values: Readonly<Record<string, Value>>;
  extra: JsonObject;
}

/** A CV in one language. `basics` is always one item; its extra is the rest of the file. */
export type Resume = Readonly<Record<SectionName, readonly Item[]>>;

export type Sides = Readonly<Record<Language, Value>>;

/** An item with both languages in it, as a row holds it. */
export interface Row {
  id: number;
  position: number;
  /** The public site leaves it out, `/cv.json` too. */
  isHidden: boolean;
  /** Values without a language, by column. */
  neutral: Readonly<Record<string, Value>>;
  /** Values of both languages, by column. */
  localized: Readonly<Record<string, Sides>>;
  /** The column as it is, an empty object when it holds none. */
  extra: JsonObject;
}

/** Every row of the CV in the order of the page; `basics` has one or none. */
export type CvState = Readonly<Record<SectionName, readonly Row[]>>;

/** What visitors may see of the CV. */
export function pickVisible(state: CvState): CvState {
  const visible = Object.entries(state).map(([name, rows]) => [name, rows.filter((row) => !row.isHidden)]);
  return Object.fromEntries(visible) as CvState; // the same names
}

export const NO_SIDES: Sides = { en: null, tr: null };

export function toOtherLanguage(lang: Language): Language {
  return lang === "en" ? "tr" : "en";
}

/** What a row itself says in a column, without falling back to the other language. */
export function getOwnValue(row: Row, field: MappedField, lang: Language): Value {
  return field.isLocalized
    ? (row.localized[field.column]?.[lang] ?? null)
    : (row.neutral[field.column] ?? null);
}

/** Whether a row has anything of a language: a text, or the mark that a file of that language named it. */
export function hasSide(row: Row, lang: Language): boolean {
  return Object.hasOwn(row.extra, lang) || Object.values(row.localized).some((sides) => sides[lang] !== null);
}
