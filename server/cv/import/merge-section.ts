import type { Language } from "#contract/languages.ts";
import type { GoneChoice } from "#contract/site/cv-import.ts";
import { MAX_INT4 } from "#server/db/sql.ts";
import {
  getOwnValue,
  hasSide,
  type Item,
  isGuessed,
  markGuessed,
  NO_SIDES,
  type Row,
  toOtherLanguage,
  type Value,
} from "../resume/item.ts";
import { toCanonicalText } from "../resume/json.ts";
import type { Section } from "../resume/sections.ts";
import type { FileScope } from "./file-scope.ts";
import { type ForcedMatches, type Match, matchItems } from "./match-items.ts";
import type { PlacedRow } from "./match-keys.ts";
import { joinExtra, pickFiner, pickValue } from "./write-value.ts";

/** Rows in the order that they have; a new one stands behind the one that it stands behind in the file. */
export function fitInNew(before: readonly Row[], inFile: readonly Row[], others: readonly Row[]): Row[] {
  const known = new Map([...inFile, ...others].filter(({ id }) => id > 0).map((row) => [row.id, row]));
  const order = before.flatMap(({ id }) => known.get(id) ?? []);
  for (const [place, row] of inFile.entries()) {
    const last = inFile[place - 1];
    if (row.id === 0) order.splice(last ? order.indexOf(last) + 1 : 0, 0, row);
  }
  return order;
}

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

/** What a person said of a section: of items by their index in the file, of rows that the file names no more by their ids. */
export interface SectionChoices {
  matches: ForcedMatches;
  gone: ReadonlyMap<number, GoneChoice>;
}
export const NO_CHOICES: SectionChoices = { matches: new Map(), gone: new Map() };

/** An item of the file, or a row that it names no more, with what becomes of it. */
export type MergedItem =
  | { is: "named"; index: number; before: Row | undefined; after: Row; isGuess: boolean }
  | { is: "gone"; before: Row; after: Row | undefined; choice: GoneChoice };

export interface SectionMerge {
  section: Section;
  items: readonly MergedItem[];
  changes: readonly RowChange[];
  /** Rows that the file doesn't name, whatever becomes of them: an item of the file may be one of them. */
  unnamed: readonly Row[];
  unchangedCount: number;
  /** The section's rows as they will be. */
  rows: readonly Row[];
}

const NEW_ROW: Row = {
  id: 0,
  position: 0,
  isHidden: false,
  isSectionHidden: false,
  neutral: {},
  localized: {},
  extra: {},
};

/** Whether the other language of a row is joined with an item by a guess, now or before. */
function isJoinedByGuess(row: Row, match: Match | undefined, lang: Language): boolean {
  if (!hasSide(row, toOtherLanguage(lang))) return false;
  return match?.basis === "guess" || (match?.basis === "own" && isGuessed(row));
}

/**
 * A row with an item written into it: this language's side, the facts that have no language, the rest of the file.
 * What becomes of a field that the item is silent on, `pickValue` says.
 */
function writeItem(
  section: Section,
  match: Match | undefined,
  item: Item,
  lang: Language,
  { isWhole }: FileScope,
): Row {
  const row = match?.row ?? NEW_ROW;
  const neutral: Record<string, Value> = {};
  const localized: Record<string, Row["localized"][string]> = {};
  for (const field of section.fields) {
    const { column, isLocalized } = field;
    const value = isWhole
      ? pickValue(field, item.values[column] ?? null, getOwnValue(row, field, lang))
      : pickFiner(section, field, row, item, lang);
    if (isLocalized) localized[column] = { ...(row.localized[column] ?? NO_SIDES), [lang]: value };
    else neutral[column] = value;
  }
  const extra = isWhole
    ? { ...row.extra, [lang]: item.extra }
    : { ...row.extra, ...joinExtra(section, row, item, lang) };
  return { ...row, neutral, localized, extra: markGuessed(extra, isJoinedByGuess(row, match, lang)) };
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

/** Whether anything but the place of a row changed. */
export function saysTheSame(one: Row, two: Row): boolean {
  return one === two || toCanonicalText({ ...one, position: 0 }) === toCanonicalText({ ...two, position: 0 });
}

/** Whether a row has texts of its own in a language: one that has none is the same in both. */
function hasTexts(row: Row, lang: Language): boolean {
  return Object.values(row.localized).some((sides) => sides[lang] !== null);
}

/** What may become of a row that the file names no more: where both languages have texts, one of them may stay. */
export function listGoneChoices(row: Row, lang: Language): GoneChoice[] {
  return hasTexts(row, toOtherLanguage(lang)) && hasSide(row, lang)
    ? ["remove", "language", "keep"]
    : ["remove", "keep"];
}

function leave(row: Row, lang: Language, choice: GoneChoice): Row | undefined {
  switch (choice) {
    case "keep":
      return row;
    case "language":
      return dropSide(row, lang);
    case "remove":
      return undefined;
  }
}

/** Rows that a file of this language would name if it still had them. Those that are hidden one by one no export contained. */
function isMissed(row: Row, lang: Language): boolean {
  return !row.isHidden && (hasSide(row, lang) || !hasSide(row, toOtherLanguage(lang)));
}

/**
 * What becomes of a section's rows when a file of one language is imported. Decides, and writes nothing.
 * A hidden row that the file names is written and stays hidden; one that it doesn't name is left alone, because
 * exports leave it out. Those of a hidden section are recognised and asked about like others, and stay hidden. A row that has the other
 * language alone is left alone too. One that had this language and that the file names no more goes, unless a person chose otherwise; it
 * stays unless they did where the file can't say everything, and in a section that is hidden, which our own exports leave out.
 */
export function mergeSection(
  section: Section,
  items: readonly Item[],
  placed: readonly PlacedRow[],
  lang: Language,
  { scope, choices }: { scope: FileScope; choices: SectionChoices },
): SectionMerge {
  const before = placed.map(({ row }) => row);
  const known = before[0];
  // What a file can't say tells no items apart.
  const said = { ...section, fields: section.fields.filter(({ column }) => scope.columns.has(column)) };
  const matches = section.listAt
    ? matchItems(said, items, hiddenLast(placed), lang, { forced: choices.matches, isOrdered: scope.isWhole })
    : [known && { row: known, basis: "both" as const }];
  const inFile = items.map((item, index) => writeItem(section, matches[index], item, lang, scope));
  const named = new Set(matches.map((match) => match?.row));
  const unnamed = before.filter((row) => !named.has(row));
  const gone = unnamed
    .filter((row) => scope.isAsked && isMissed(row, lang))
    .map((row) => {
      const isSilent = !scope.isWhole || row.isSectionHidden;
      const choice = choices.gone.get(row.id) ?? (isSilent ? "keep" : "remove");
      return { is: "gone" as const, before: row, after: leave(row, lang, choice), choice };
    });
  const left = new Map(gone.map((item) => [item.before, item.after]));
  const others = unnamed.flatMap((row) => (left.has(row) ? (left.get(row) ?? []) : row));
  const byId = new Map(before.map((row) => [row.id, row]));
  const order = (scope.isWhole ? arrangeRows : fitInNew)(before, inFile, others);
  const numbered = section.listAt ? numberRows(order) : order;
  const rows = numbered.map((row) => {
    const old = byId.get(row.id);
    return old ? keepEqual(old, row) : row;
  });
  const written = new Map(order.map((row, index) => [row, rows[index] ?? row]));
  const deleted = gone.filter(({ after }) => after === undefined).map((item) => item.before);
  const changes = rows.flatMap((row) => toChange(row, byId.get(row.id)));
  return {
    section,
    rows,
    unnamed,
    items: [
      ...inFile.map((row, index) => ({
        is: "named" as const,
        index,
        before: matches[index]?.row,
        after: written.get(row) ?? row,
        isGuess: matches[index]?.basis === "guess",
      })),
      ...gone.map((item) => ({ ...item, after: item.after && (written.get(item.after) ?? item.after) })),
    ],
    changes: [...changes, ...deleted.map((row) => ({ action: "delete" as const, before: row }))],
    unchangedCount: rows.length - changes.length,
  };
}
