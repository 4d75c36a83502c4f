import { LANGUAGES, type Language } from "#contract/languages.ts";
import { getOwnValue, hasSide, type Item, pickExtra, type Row, type Value } from "../resume/item.ts";
import { isJsonObject, type JsonObject } from "../resume/json.ts";
import type { MappedField, Section } from "../resume/sections.ts";

/**
 * What a field holds after a file that says everything: what the file says, nothing included. A file that is silent on a picture leaves
 * an uploaded one alone, for files from elsewhere can't know of it.
 */
export function pickValue({ field }: MappedField, said: Value, known: Value): Value {
  return field.kind.holdsFile ? (said ?? known) : said;
}

/** Whether a row says more exactly what an item says: `2020-03` than `2020`, an address with or without its last slash. */
function saysAsMuch({ field }: MappedField, said: Value, known: Value): boolean {
  if (typeof said !== "string" || typeof known !== "string") return false;
  if (field.kind.name === "partial_date") return known.startsWith(said);
  return field.kind.name === "url" && URL.parse(known)?.href === URL.parse(said)?.href;
}

/**
 * Whether a row has this and other parts of what an item gives as one text: city and province, where the item has one line of a place.
 * Where no language has the city, the line says more than the parts.
 */
function hasOtherParts(section: Section, field: MappedField, row: Row, item: Item): boolean {
  const { key, column } = field;
  const isKnown = (part: MappedField) => LANGUAGES.some((lang) => getOwnValue(row, part, lang) !== null);
  const isPart = (other: MappedField) =>
    other.column !== column && other.key.length > 2 && other.key[1] === key[1] && !item.values[other.column];
  return key.length > 2 && isKnown(field) && section.fields.filter(isPart).some(isKnown);
}

/** What a field holds after a file that can't say everything: what it held, where the file is silent or less exact. */
export function pickFiner(section: Section, field: MappedField, row: Row, item: Item, lang: Language): Value {
  const said = item.values[field.column] ?? null;
  const known = getOwnValue(row, field, lang);
  const isKnown = saysAsMuch(field, said, known) || hasOtherParts(section, field, row, item);
  return said === null || isKnown ? known : said;
}

function joinObjects(one: JsonObject, two: JsonObject): JsonObject {
  const joined = Object.entries(two).map(([key, value]) => {
    const known = one[key];
    return [key, isJsonObject(known) && isJsonObject(value) ? joinObjects(known, value) : value];
  });
  return { ...one, ...Object.fromEntries(joined) };
}

/**
 * The rest of a file that can't say everything, joined with what this language showed of the rest before. Empty where there is nothing to
 * write: neither a rest, nor that a file of this language has named the row.
 */
export function joinExtra(section: Section, row: Row, item: Item, lang: Language): JsonObject {
  const isNamed = hasSide(row, lang) || section.listAt === null;
  if (Object.keys(item.extra).length === 0 && isNamed) return {};
  return { [lang]: joinObjects(pickExtra(row, lang), item.extra) };
}
