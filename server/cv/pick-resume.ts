import type { Language } from "#contract/languages.ts";
import { type CvState, getOwnValue, type Item, type Resume, type Row, toOtherLanguage } from "./item.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { mapSections, type Section } from "./sections.ts";

/** The language's own rest of the file, else the other's: as a whole, so that a file never gets parts of another. */
function pickExtra(row: Row, lang: Language): JsonObject {
  const own = row.extra[lang];
  const other = row.extra[toOtherLanguage(lang)];
  if (isJsonObject(own)) return own;
  return isJsonObject(other) ? other : {};
}

/** A row as it is shown in a language: each text falls back to the other language by itself. */
export function pickItem(section: Section, row: Row, lang: Language): Item {
  const values = section.fields.map((field) => [
    field.column,
    getOwnValue(row, field, lang) ?? getOwnValue(row, field, toOtherLanguage(lang)),
  ]);
  return { values: Object.fromEntries(values), extra: pickExtra(row, lang) };
}

/** The CV as it is shown in a language. */
export function pickResume(state: CvState, lang: Language): Resume {
  return mapSections((section) => {
    const items = state[section.name].map((row) => pickItem(section, row, lang));
    return section.listAt || items.length > 0 ? items : [{ values: {}, extra: {} }];
  });
}
