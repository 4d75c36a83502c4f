import type { Language } from "#contract/languages.ts";
import { getOwnValue, type Item, type Row, toOtherLanguage, type Value } from "../resume/item.ts";
import { toCanonicalText } from "../resume/json.ts";
import type { MappedField, Section } from "../resume/sections.ts";

/** A row with its place and with what an export in this language would say of it. */
export interface PlacedRow {
  row: Row;
  /** Undefined when export and rows don't stand side by side. */
  shown: Item | undefined;
}

/**
 * What a match rests on: what the row says in the file's language, what joins both languages, likeness or place alone (a person is
 * asked about it), or that person's word.
 */
export type Basis = "own" | "both" | "guess" | "said";

/** One way of recognizing: an item and a row with the same key are the same thing; undefined takes no part. */
export interface Stage {
  toItemKey: (item: Item, place: number) => string | undefined;
  toRowKey: (placed: PlacedRow, place: number) => string | undefined;
  basis: Basis;
  /** Keys that two items or two rows have leave nothing but the place. */
  isPlaceAmongEquals?: true;
  /** Keys that two items or two rows have tell nothing. */
  isUnique?: true;
}

function toKey(values: readonly Value[]): string | undefined {
  return values.some((value) => value !== null) ? JSON.stringify(values) : undefined;
}

/** Both parts joined, undefined without the second. */
function join(first: string | undefined, second: string | undefined): string | undefined {
  return second === undefined ? undefined : `${first ?? ""}|${second}`;
}

/** What of a section tells its things apart, in one language. */
export function buildKeys(section: Section, lang: Language) {
  const neutral = section.fields.filter((field) => !field.isLocalized && !field.field.kind.holdsFile);
  const named = section.fields.filter((field) => section.names.includes(field.column));
  const firstNamed = named.filter((field) => field.column === section.names[0]);
  const ofItem = (fields: readonly MappedField[]) => (item: Item) =>
    toKey(fields.map((field) => item.values[field.column] ?? null));
  const ofRow = (fields: readonly MappedField[], side: Language) => (row: Row) =>
    toKey(fields.map((field) => getOwnValue(row, field, side)));
  const other = toOtherLanguage(lang);
  const toWords = (values: readonly Value[]) => values.flat().join(" ");
  const pair = (fields: readonly MappedField[]) => ({
    item: ofItem(fields),
    own: ofRow(fields, lang),
    other: ofRow(fields, other),
  });
  return {
    /** Dates, addresses, user names. */
    facts: pair(neutral),
    names: pair(named),
    firstName: pair(firstNamed),
    url: pair(neutral.filter(({ field }) => field.kind.name === "url")),
    firstDate: pair(neutral.filter(({ field }) => field.kind.name === "partial_date").slice(0, 1)),
    /** The names as words, to compare them. */
    words: {
      item: (item: Item) => toWords(named.map(({ column }) => item.values[column] ?? null)),
      own: (row: Row) => toWords(named.map((field) => getOwnValue(row, field, lang))),
    },
  };
}
export type Keys = ReturnType<typeof buildKeys>;

/** Evidence in the file's own language. */
export function buildOwnStages({ facts, names, firstName, firstDate, url }: Keys): Stage[] {
  return [
    // Word for word what this language shows at this place.
    {
      basis: "own",
      toItemKey: (item, place) => `${place} ${toCanonicalText(item)}`,
      toRowKey: ({ shown }, place) => shown && `${place} ${toCanonicalText(shown)}`,
    },
    // The same names and the same facts.
    {
      basis: "own",
      toItemKey: (item) => join(facts.item(item), names.item(item)),
      toRowKey: ({ row }) => join(facts.own(row), names.own(row)),
    },
    // The same names: a job that has ended since.
    { basis: "own", toItemKey: names.item, toRowKey: ({ row }) => names.own(row) },
    // The same company since the same day: another role, and an end perhaps.
    {
      basis: "own",
      isUnique: true,
      toItemKey: (item) => firstDate.item(item) && join(firstDate.item(item), firstName.item(item)),
      toRowKey: ({ row }) => firstDate.own(row) && join(firstDate.own(row), firstName.own(row)),
    },
    { basis: "own", isUnique: true, toItemKey: url.item, toRowKey: ({ row }) => url.own(row) },
  ];
}

/**
 * Evidence across the languages, for rows that `isOpen`: what they say in this language counts for nothing. A file without an order
 * doesn't say everything either: its facts are a date, most often, so that they find rows alone that have nothing of this language,
 * and somebody is asked; equal facts of two things tell nothing.
 */
export function buildCrossStages(
  { facts, firstName }: Keys,
  isOpen: (row: Row) => boolean,
  isOrdered: boolean,
): Stage[] {
  const ofOpen = (toRowKey: (row: Row) => string | undefined) => (placed: PlacedRow) =>
    isOpen(placed.row) ? toRowKey(placed.row) : undefined;
  return [
    // The same facts, and the first name as the other language writes it.
    {
      basis: "both",
      toItemKey: (item) => join(firstName.item(item), facts.item(item)),
      toRowKey: ofOpen((row) => join(firstName.other(row), facts.own(row))),
    },
    // The same facts. They would write over a hidden row that no export contained: in this language it goes by its names.
    isOrdered
      ? {
          basis: "both",
          isPlaceAmongEquals: true,
          toItemKey: facts.item,
          toRowKey: ({ row }) => (row.isHidden && !isOpen(row) ? undefined : facts.own(row)),
        }
      : { basis: "guess", isUnique: true, toItemKey: facts.item, toRowKey: ofOpen(facts.own) },
    // The first name as the other language writes it.
    { basis: "both", toItemKey: firstName.item, toRowKey: ofOpen(firstName.other) },
  ];
}

/** Neither has facts, and the row is open: nothing but the place is left to go by. */
export function buildPlaceStage({ facts }: Keys, isOpen: (row: Row) => boolean): Stage {
  return {
    basis: "guess",
    toItemKey: (item) => (facts.item(item) === undefined ? "" : undefined),
    toRowKey: ({ row }) => (isOpen(row) && facts.own(row) === undefined ? "" : undefined),
  };
}
