import type { Language } from "#contract/languages.ts";
import { getOwnValue, hasSide, type Item, type Row, toOtherLanguage, type Value } from "./item.ts";
import { toCanonicalText } from "./json.ts";
import type { MappedField, Section } from "./sections.ts";

/** A row with its place and with what an export in this language would say of it. */
export interface PlacedRow {
  row: Row;
  /** Undefined when export and rows don't stand side by side. */
  shown: Item | undefined;
}

/** One way of recognizing: an item and a row with the same key are the same thing; undefined takes no part. */
interface Stage {
  toItemKey: (item: Item, place: number) => string | undefined;
  toRowKey: (placed: PlacedRow, place: number) => string | undefined;
}

function toKey(values: readonly Value[]): string | undefined {
  return values.some((value) => value !== null) ? JSON.stringify(values) : undefined;
}

/** Both parts joined, undefined without the second. */
function join(first: string | undefined, second: string | undefined): string | undefined {
  return second === undefined ? undefined : `${first ?? ""}|${second}`;
}

function buildStages(section: Section, lang: Language): Stage[] {
  const other = toOtherLanguage(lang);
  const facts = section.fields.filter((field) => !field.isLocalized && !field.field.kind.holdsFile);
  const names = section.fields.filter((field) => section.names.includes(field.column));
  const firstName = names.filter((field) => field.column === section.names[0]);
  const ofItem = (fields: readonly MappedField[], item: Item) =>
    toKey(fields.map((field) => item.values[field.column] ?? null));
  const ofRow = (fields: readonly MappedField[], row: Row, side: Language) =>
    toKey(fields.map((field) => getOwnValue(row, field, side)));
  const isOpen = (row: Row) => !hasSide(row, lang);

  return [
    // 1. Word for word what this language shows at this place.
    {
      toItemKey: (item, place) => `${place} ${toCanonicalText(item)}`,
      toRowKey: ({ shown }, place) => shown && `${place} ${toCanonicalText(shown)}`,
    },
    // 2. The same names in this language and the same facts.
    {
      toItemKey: (item) => join(ofItem(facts, item), ofItem(names, item)),
      toRowKey: ({ row }) => join(ofRow(facts, row, lang), ofRow(names, row, lang)),
    },
    // 3. The same names in this language: a job that has ended since.
    { toItemKey: (item) => ofItem(names, item), toRowKey: ({ row }) => ofRow(names, row, lang) },
    // 4. For a row without this language: the same facts and the first name as the other language writes it.
    {
      toItemKey: (item) => join(ofItem(firstName, item), ofItem(facts, item)),
      toRowKey: ({ row }) =>
        isOpen(row) ? join(ofRow(firstName, row, other), ofRow(facts, row, lang)) : undefined,
    },
    // 5. The same facts. They would write over a hidden row that no export contained: in this language it goes by its names.
    {
      toItemKey: (item) => ofItem(facts, item),
      toRowKey: ({ row }) => (row.isHidden && !isOpen(row) ? undefined : ofRow(facts, row, lang)),
    },
    // 6. For a row without this language: the first name as the other language writes it.
    {
      toItemKey: (item) => ofItem(firstName, item),
      toRowKey: ({ row }) => (isOpen(row) ? ofRow(firstName, row, other) : undefined),
    },
    // 7. Neither has facts, and the row lacks this language: nothing but the place is left to go by.
    {
      toItemKey: (item) => (ofItem(facts, item) === undefined ? "" : undefined),
      toRowKey: ({ row }) => (isOpen(row) && ofRow(facts, row, lang) === undefined ? "" : undefined),
    },
  ];
}

/** Pairs what is left by one stage: the first item of a key with the first row of it, and so on. */
function pairEquals(
  { toItemKey, toRowKey }: Stage,
  items: readonly Item[],
  rows: readonly PlacedRow[],
  matches: Map<Item, Row>,
): void {
  const taken = new Set(matches.values());
  const waiting = new Map<string, Row[]>();
  for (const [place, placed] of rows.entries()) {
    const key = taken.has(placed.row) ? undefined : toRowKey(placed, place);
    if (key === undefined) continue;
    const same = waiting.get(key) ?? [];
    waiting.set(key, same);
    same.push(placed.row);
  }
  for (const [place, item] of items.entries()) {
    const key = matches.has(item) ? undefined : toItemKey(item, place);
    const row = key === undefined ? undefined : waiting.get(key)?.shift();
    if (row) matches.set(item, row);
  }
}

/**
 * Finds the row of each item of a file, so that both languages of a thing stay in one row.
 *
 * An item is the row with the same language-neutral facts (dates, address, user name) and, among equals, at the same
 * place. Stronger evidence goes first, so that an item whose facts or order changed finds its row too: see the stages.
 * Within a stage, equals pair up in the order in which they stand. Names alone tell apart what has no facts (skills):
 * there another name in the same language is another thing, never a new name of the old one.
 *
 * @param rows in the order of the page.
 * @returns for each item its row, undefined for a new one.
 */
export function matchItems(
  section: Section,
  items: readonly Item[],
  rows: readonly PlacedRow[],
  lang: Language,
): (Row | undefined)[] {
  const matches = new Map<Item, Row>();
  for (const stage of buildStages(section, lang)) pairEquals(stage, items, rows, matches);
  return items.map((item) => matches.get(item));
}
