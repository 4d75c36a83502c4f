import type { Language } from "#contract/languages.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { type BySection, type MappedField, mapSections, type Section, type Sections } from "./sections.ts";

/** A text that isn't blank, a list that isn't empty, the key of a file, or nothing. */
export type Value = string | readonly string[] | null;

/** What an item says in one language: values by column, and the rest of what the file said. */
export interface Item {
  values: Readonly<Record<string, Value>>;
  extra: JsonObject;
}

/** A CV in one language. `basics` is always one item; its extra is the rest of the file. */
export type Resume = BySection<readonly Item[]>;

type Sides = Readonly<Record<Language, Value>>;

/** An item with both languages in it, as a row holds it. */
export interface Row {
  id: number;
  position: number;
  /** The public site leaves the row out, `/cv.json` too. */
  isHidden: boolean;
  /** They leave its whole section out. */
  isSectionHidden: boolean;
  /** Values without a language, by column. */
  neutral: Readonly<Record<string, Value>>;
  /** Values of both languages, by column. */
  localized: Readonly<Record<string, Sides>>;
  /** The column as it is, an empty object when it holds none. */
  extra: JsonObject;
}

/** Every row of the CV in the order of the page; `basics` has one or none. */
export type CvState = BySection<readonly Row[]>;

const PAIRING = "pairing";
const GUESSED = "guessed";

export const NO_SIDES: Sides = { en: null, tr: null };

export function toOtherLanguage(lang: Language): Language {
  return lang === "en" ? "tr" : "en";
}

/** What of a section is there. */
export function listOf<Entry>(all: BySection<readonly Entry[]>, section: Section): readonly Entry[] {
  return all.get(section) ?? [];
}

/** What visitors may see of the CV. */
export function pickVisible(state: CvState): CvState {
  const isVisible = (row: Row) => !row.isHidden && !row.isSectionHidden;
  return new Map([...state].map(([section, rows]) => [section, rows.filter(isVisible)]));
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

/** Whether the languages of a row were joined by nothing but likeness or place. */
export function isGuessed(row: Row): boolean {
  return row.extra[PAIRING] === GUESSED;
}

/** The row's extra with or without the mark of a guess, beside the languages. */
export function markGuessed(extra: JsonObject, is: boolean): JsonObject {
  const { [PAIRING]: _mark, ...others } = extra;
  return is ? { ...others, [PAIRING]: GUESSED } : others;
}

/** How people call a row: its model's title, in English when it has it. */
export function getRowTitle(section: Section, row: Row): string {
  const field = section.fields.find(({ column }) => column === section.model.titleField);
  const title = field && (getOwnValue(row, field, "en") ?? getOwnValue(row, field, "tr"));
  return typeof title === "string" ? title : `#${row.id}`;
}

/** The language's own rest of the file, else the other's: as a whole, so that a file never gets parts of another. */
export function pickExtra(row: Row, lang: Language): JsonObject {
  const own = row.extra[lang];
  const other = row.extra[toOtherLanguage(lang)];
  if (isJsonObject(own)) return own;
  return isJsonObject(other) ? other : {};
}

/** A row as it is shown in a language: each text falls back to the other language by itself. */
function pickItem(section: Section, row: Row, lang: Language): Item {
  const values = section.fields.map((field) => [
    field.column,
    getOwnValue(row, field, lang) ?? getOwnValue(row, field, toOtherLanguage(lang)),
  ]);
  return { values: Object.fromEntries(values), extra: pickExtra(row, lang) };
}

/** The CV as it is shown in a language. */
export function pickResume(sections: Sections, state: CvState, lang: Language): Resume {
  return mapSections(sections, (section) => {
    const items = listOf(state, section).map((row) => pickItem(section, row, lang));
    return section.listAt || items.length > 0 ? items : [{ values: {}, extra: {} }];
  });
}

/** A text trimmed, null when nothing is left. */
export function toText(value: unknown): string | null {
  return typeof value === "string" ? value.trim() || null : null;
}

/** The texts of a list that say something, null when there are none. */
export function toList(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.map(toText).filter((text) => text !== null);
  return texts.length > 0 ? texts : null;
}

function toValue(field: MappedField, value: unknown): Value {
  return field.field.kind.name === "localized_list" ? toList(value) : toText(value);
}

function toSides(field: MappedField, value: unknown): Sides {
  return isJsonObject(value) ? { en: toValue(field, value.en), tr: toValue(field, value.tr) } : NO_SIDES;
}

/** A row as the store reads it → its meaning. Whatever was let into it before is tolerated: odd shapes count as empty. */
export function parseRow(section: Section, row: Readonly<Record<string, JsonValue>>): Row {
  const entries = <Part>(isLocalized: boolean, parse: (field: MappedField, value: unknown) => Part) =>
    Object.fromEntries(
      section.fields
        .filter((field) => field.isLocalized === isLocalized)
        .map((field) => [field.column, parse(field, row[field.column])]),
    );
  return {
    id: Number(row.id),
    position: Number(row.position ?? 0),
    isHidden: row.is_hidden === true,
    isSectionHidden: row.is_section_hidden === true,
    neutral: entries(false, toValue),
    localized: entries(true, toSides),
    extra: isJsonObject(row.extra) ? row.extra : {},
  };
}

/** A row's columns as they are stored: NULL where nothing is said, an empty value where the column can't be NULL. */
export function toColumns(section: Section, row: Row): Record<string, unknown> {
  const entries = section.fields.map(({ column, isLocalized, field }) => {
    if (!isLocalized) return [column, row.neutral[column] ?? (field.isNullable ? null : "")];
    const sides = row.localized[column] ?? NO_SIDES;
    const isEmpty = sides.en === null && sides.tr === null;
    return [column, isEmpty && field.isNullable ? null : sides];
  });
  return {
    ...Object.fromEntries(entries),
    ...(section.listAt ? { position: row.position } : {}),
    extra: Object.keys(row.extra).length > 0 ? row.extra : null,
  };
}
