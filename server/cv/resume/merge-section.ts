import type { Language } from "#contract/languages.ts";
import { MAX_INT4 } from "#server/db/sql.ts";
import { hasSide, type Item, NO_SIDES, type Row, toOtherLanguage, type Value } from "./item.ts";
import { toCanonicalText } from "./json.ts";
import { matchItems, type PlacedRow } from "./match-items.ts";
import type { Section } from "./sections.ts";

/** Rows in the order of the file; a row that the file doesn't name stays behind the one that it stood behind. */
export function arrangeRows(before: readonly Row[], inFile: readonly Row[], others: readonly Row[]): Row[] {
  const order = [...inFile];
  const ids = new Set(order.map((row) => row.id));
  for (const row of others) {
    const behind = before
      .slice(
        0,
        before.findIndex((known) => known.id === row.id),
      )
      .findLast((known) => ids.has(known.id));
    order.splice(behind ? order.findIndex((known) => known.id === behind.id) + 1 : 0, 0, row);
    ids.add(row.id);
  }
  return order;
}

/** Whether a row sorts behind another one by position and id. A new row (id 0) gets the highest id of all. */
function isBehind(row: Row, last: Row): boolean {
  const isLater = last.id > 0 && row.id > last.id;
  return row.position > last.position || (row.position === last.position && isLater);
}

/** Whether the rows that exist stand as their positions say. */
function isInOrder(rows: readonly Row[]): boolean {
  return rows.every((row, index) => {
    const last = rows[index - 1];
    return !last || isBehind(row, last);
  });
}

/** Makes room for new rows and leaves the others alone where their positions still say the order. */
function fitIn(order: readonly Row[]): Row[] {
  const numbered: Row[] = [];
  for (const row of order) {
    const last = numbered.at(-1);
    const isKept = row.id > 0 && (!last || isBehind(row, last));
    numbered.push(isKept ? row : { ...row, position: (last?.position ?? 0) + 1 });
  }
  return numbered;
}

/** Gives rows positions that say their order: 1, 2, 3 … when known ones moved, else as few changes as will do. */
export function numberRows(order: readonly Row[]): Row[] {
  const fitted = isInOrder(order.filter((row) => row.id > 0)) ? fitIn(order) : [];
  const isFitting = fitted.length > 0 && (fitted.at(-1)?.position ?? 0) <= MAX_INT4;
  return isFitting ? fitted : order.map((row, index) => ({ ...row, position: index + 1 }));
}

/** What an import does to one row. A created row has the id 0 until it is stored. */
export type RowChange =
  | { action: "create"; after: Row }
  | { action: "update"; before: Row; after: Row }
  | { action: "delete"; before: Row };

export interface SectionMerge {
  section: Section;
  changes: readonly RowChange[];
  unchangedCount: number;
  /** The section's rows as they will be. */
  rows: readonly Row[];
}

const NEW_ROW: Row = { id: 0, position: 0, isHidden: false, neutral: {}, localized: {}, extra: {} };

/**
 * A row with an item written into it: this language's side, the facts that have no language, the rest of the file.
 * A file that is silent on a picture leaves an uploaded one alone, for files from elsewhere can't know of it.
 */
function writeItem(section: Section, row: Row, item: Item, lang: Language): Row {
  const neutral: Record<string, Value> = {};
  const localized: Record<string, Row["localized"][string]> = {};
  for (const { column, isLocalized, field } of section.fields) {
    const value = item.values[column] ?? null;
    const known = row.neutral[column] ?? null;
    if (isLocalized) localized[column] = { ...(row.localized[column] ?? NO_SIDES), [lang]: value };
    else neutral[column] = field.kind.holdsFile ? (value ?? known) : value;
  }
  return { ...row, neutral, localized, extra: { ...row.extra, [lang]: item.extra } };
}

/** A row without a language's side; undefined when nothing is left of it. */
function dropSide(row: Row, lang: Language): Row | undefined {
  if (!hasSide(row, toOtherLanguage(lang))) return undefined;
  const localized = Object.entries(row.localized).map(([column, sides]) => [
    column,
    { ...sides, [lang]: null },
  ]);
  const { [lang]: _dropped, ...extra } = row.extra;
  return { ...row, localized: Object.fromEntries(localized), extra };
}

/** The row itself when a new state says the same, and parts of it that say the same: jsonb has its own order of keys. */
function keepEqual(before: Row, after: Row): Row {
  if (toCanonicalText(before) === toCanonicalText(after)) return before;
  return toCanonicalText(before.extra) === toCanonicalText(after.extra)
    ? { ...after, extra: before.extra }
    : after;
}

function toChange(after: Row, before: Row | undefined): RowChange[] {
  if (!before) return [{ action: "create", after }];
  return before === after ? [] : [{ action: "update", before, after }];
}

/** Visible rows first: exports, which `shown` comes from, hold no others. */
function hiddenLast(placed: readonly PlacedRow[]): PlacedRow[] {
  return [...placed.filter(({ row }) => !row.isHidden), ...placed.filter(({ row }) => row.isHidden)];
}

/**
 * What becomes of a section's rows when a file of one language is imported. Decides, and writes nothing.
 * A hidden row that the file names is written and stays hidden; one that it doesn't name is left alone, because
 * exports leave it out.
 */
export function mergeSection(
  section: Section,
  items: readonly Item[],
  placed: readonly PlacedRow[],
  lang: Language,
): SectionMerge {
  const before = placed.map(({ row }) => row);
  const matches = section.listAt ? matchItems(section, items, hiddenLast(placed), lang) : [before[0]];
  const inFile = items.map((item, index) => writeItem(section, matches[index] ?? NEW_ROW, item, lang));
  const unnamed = before.filter((row) => !matches.includes(row));
  const others = unnamed
    .map((row) => (row.isHidden ? row : dropSide(row, lang)))
    .filter((row) => row !== undefined);
  const byId = new Map(before.map((row) => [row.id, row]));
  const order = arrangeRows(before, inFile, others);
  const rows = (section.listAt ? numberRows(order) : order).map((row) => {
    const known = byId.get(row.id);
    return known ? keepEqual(known, row) : row;
  });
  const deleted = unnamed.filter((row) => !others.some((left) => left.id === row.id));
  const changes = rows.flatMap((row) => toChange(row, byId.get(row.id)));
  return {
    section,
    rows,
    changes: [...changes, ...deleted.map((row) => ({ action: "delete" as const, before: row }))],
    unchangedCount: rows.length - changes.length,
  };
}
