import type { Language } from "#contract/languages.ts";
import { hasSide, type Item, isGuessed, type Row, toOtherLanguage } from "../resume/item.ts";
import type { Section } from "../resume/sections.ts";
import { measureLikeness } from "./likeness.ts";
import {
  type Basis,
  buildCrossStages,
  buildKeys,
  buildOwnStages,
  buildPlaceStage,
  type Keys,
  type PlacedRow,
  type Stage,
} from "./match-keys.ts";

/** The row that an item is. */
export interface Match {
  row: Row;
  basis: Basis;
}

/** What a person said of an item of the file, by its index: the id of the row that it is, or that it is a new thing. */
export type ForcedMatches = ReadonlyMap<number, number | "new">;

type Matches = ReadonlyMap<Item, Match>;

function groupBy<Entry>(
  entries: readonly Entry[],
  toGroup: (entry: Entry, place: number) => string | undefined,
) {
  const groups = new Map<string, Entry[]>();
  for (const [place, entry] of entries.entries()) {
    const key = toGroup(entry, place);
    if (key === undefined) continue;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(entry);
  }
  return groups;
}

/** Pairs what is left by one stage: the first item of a key with the first row of it, and so on. */
function pairEquals(
  stage: Stage,
  items: readonly Item[],
  rows: readonly PlacedRow[],
  known: Matches,
): Matches {
  const matches = new Map(known);
  const taken = new Set([...known.values()].map(({ row }) => row));
  const itemsByKey = groupBy(items, (item, place) =>
    known.has(item) ? undefined : stage.toItemKey(item, place),
  );
  const rowsByKey = groupBy(rows, (placed, place) =>
    taken.has(placed.row) ? undefined : stage.toRowKey(placed, place),
  );
  for (const [key, same] of itemsByKey) {
    const rowsOfKey = rowsByKey.get(key) ?? [];
    const hasEquals = same.length > 1 || rowsOfKey.length > 1;
    if (stage.isUnique && hasEquals) continue;
    const basis = stage.isPlaceAmongEquals && hasEquals ? "guess" : stage.basis;
    for (const [index, item] of same.entries()) {
      const row = rowsOfKey[index]?.row;
      if (row) matches.set(item, { row, basis });
    }
  }
  return matches;
}

/** Half of the letters in common, and no facts that say otherwise: a thing with a new name. */
const LIKE_ENOUGH = 0.5;
/** So much alike that other facts don't matter. */
const LIKE_ALMOST_EQUAL = 0.85;
/** More pairs than any CV has are not compared: it takes seconds. */
const MAX_COMPARED = 100_000;

/** Pairs what is left by names that are alike, the most alike first. */
function pairAlike(
  section: Section,
  lang: Language,
  items: readonly Item[],
  rows: readonly PlacedRow[],
  known: Matches,
): Matches {
  const keys = buildKeys(section, lang);
  const matches = new Map(known);
  const taken = new Set([...known.values()].map(({ row }) => row));
  const left = rows.filter(({ row }) => !taken.has(row));
  const waiting = items.filter((item) => !known.has(item));
  if (left.length * waiting.length > MAX_COMPARED) return matches;
  const pairs = waiting
    .flatMap((item) =>
      left
        .map(({ row }) => ({
          item,
          row,
          likeness: measureLikeness(keys.words.item(item), keys.words.own(row)),
        }))
        .filter(({ row, likeness }) => {
          const haveFacts = keys.facts.item(item) !== undefined && keys.facts.own(row) !== undefined;
          const agree = [keys.firstDate, keys.url].some(
            (key) => key.item(item) !== undefined && key.item(item) === key.own(row),
          );
          return likeness >= (haveFacts && !agree ? LIKE_ALMOST_EQUAL : LIKE_ENOUGH);
        }),
    )
    .sort((one, two) => two.likeness - one.likeness);
  for (const { item, row } of pairs) {
    if (matches.has(item) || taken.has(row)) continue;
    matches.set(item, { row, basis: "guess" });
    taken.add(row);
  }
  return matches;
}

/** Pairs what is left between the same neighbours, in order: an item that stands where a row stood is that row by a new name. */
function pairInGaps(
  { facts }: Keys,
  isOpen: (row: Row) => boolean,
  items: readonly Item[],
  rows: readonly PlacedRow[],
  known: Matches,
): Matches {
  const taken = new Set([...known.values()].map(({ row }) => row));
  const toRowsBehind = (row: Row | undefined) => {
    const behind = rows.slice(rows.findIndex((placed) => placed.row === row) + 1);
    const end = behind.findIndex((placed) => taken.has(placed.row));
    return end < 0 ? behind : behind.slice(0, end);
  };
  const matches = new Map(known);
  let last: Row | undefined;
  let gap: PlacedRow[] = toRowsBehind(undefined);
  for (const item of items) {
    const match = known.get(item);
    if (match) {
      last = match.row;
      gap = toRowsBehind(last);
    } else if (facts.item(item) === undefined) {
      const place = gap.findIndex(({ row }) => isOpen(row) && facts.own(row) === undefined);
      const row = gap[place]?.row;
      if (row) matches.set(item, { row, basis: "guess" });
      gap = place < 0 ? gap : gap.slice(place + 1);
    }
  }
  return matches;
}

/** Items that found a row without the other language, or none, look again among the rows that have it and are left over. */
function heal(
  keys: Keys,
  hasOther: (row: Row) => boolean,
  items: readonly Item[],
  rows: readonly PlacedRow[],
  known: Matches,
): Matches {
  const fixed = new Map([...known].filter(([, { row }]) => hasOther(row)));
  const others = rows.filter(({ row }) => hasOther(row));
  const found = buildCrossStages(keys, hasOther, true).reduce<Matches>(
    (matches, stage) => pairEquals(stage, items, others, matches),
    fixed,
  );
  const placed = pairInGaps(keys, hasOther, items, others, found);
  const taken = new Set([...placed.values()].map(({ row }) => row));
  const kept = [...known].filter(([item, { row }]) => !placed.has(item) && !taken.has(row));
  return new Map([...placed, ...kept]);
}

/** How good a set of matches is: rows of the other language that found their item, evidence, and changes of the order. */
function weigh(
  keys: Keys,
  hasOther: (row: Row) => boolean,
  items: readonly Item[],
  rows: readonly PlacedRow[],
  matches: Matches,
) {
  const places = new Map(rows.map(({ row }, place) => [row, place]));
  const pairs = items.flatMap((item) => {
    const match = matches.get(item);
    return match ? [{ item, row: match.row, place: places.get(match.row) ?? 0 }] : [];
  });
  const isSame = (one: string | undefined, two: string | undefined) => one !== undefined && one === two;
  const evidence = pairs.map(({ item, row }) => {
    // Of two languages that were joined by a guess the one tells nothing of the other.
    const own = !isGuessed(row) && isSame(keys.firstName.item(item), keys.firstName.own(row)) ? 1 : 0;
    const cross = isSame(keys.firstName.item(item), keys.firstName.other(row)) ? 2 : 0;
    const facts = isSame(keys.facts.item(item), keys.facts.own(row)) ? 2 : 0;
    return own + cross + facts;
  });
  return [
    pairs.filter(({ row }) => hasOther(row)).length,
    evidence.reduce((sum, weight) => sum + weight, 0),
    -pairs.filter(({ place }, index) => index > 0 && place < (pairs[index - 1]?.place ?? 0)).length,
  ];
}

function isBetter(one: readonly number[], two: readonly number[]): boolean {
  const place = one.findIndex((weight, index) => weight !== two[index]);
  return place >= 0 && (one[place] ?? 0) > (two[place] ?? 0);
}

/**
 * Finds the row of each item of a file, so that both languages of a thing stay in one row.
 *
 * Stronger evidence goes first, so that an item whose facts, names or order changed finds its row too: see the stages. Within a stage,
 * equals pair up in the order in which they stand. Two ways are tried: what the rows say in the file's own language goes first, and then
 * what is left finds rows of the other language; or, as on the first import of this language, the other language alone. The first way is
 * taken unless the second joins more, or as much with an order that stays. So a row that other files have left behind in this language
 * keeps no item from the row that it belongs to. A file without an order goes the first way, without this and without places: it would
 * write over things that it doesn't know.
 *
 * @param rows in the order of the page.
 * @param about.isOrdered whether the file's order means something, and the file says everything.
 * @returns for each item its row, undefined for a new one.
 */
export function matchItems(
  section: Section,
  items: readonly Item[],
  rows: readonly PlacedRow[],
  lang: Language,
  { forced, isOrdered }: { forced: ForcedMatches; isOrdered: boolean },
): (Match | undefined)[] {
  const keys = buildKeys(section, lang);
  const hasOther = (row: Row) => hasSide(row, toOtherLanguage(lang));
  const isOpen = (row: Row) => !hasSide(row, lang);
  const free = items.filter((_item, index) => !forced.has(index));
  const freeRows = rows.filter(({ row }) => ![...forced.values()].includes(row.id));
  const run = (stages: readonly Stage[], known: Matches) =>
    stages.reduce<Matches>((matches, stage) => pairEquals(stage, free, freeRows, matches), known);

  const own = run([...buildOwnStages(keys), ...buildCrossStages(keys, isOpen, isOrdered)], new Map());
  const alike = pairAlike(section, lang, free, freeRows, own);
  function pickBest(): Matches {
    const first = heal(keys, hasOther, free, freeRows, run([buildPlaceStage(keys, isOpen)], alike));
    const fresh = run(
      [...buildCrossStages(keys, hasOther, true), buildPlaceStage(keys, hasOther)],
      new Map(),
    );
    const second = run(buildOwnStages(keys), fresh);
    const [weight, freshWeight] = [first, second].map((matches) =>
      weigh(keys, hasOther, free, freeRows, matches),
    );
    return weight && freshWeight && isBetter(freshWeight, weight) ? second : first;
  }
  const best = isOrdered ? pickBest() : alike;
  return items.map((item, index) => {
    const said = forced.get(index);
    if (said === undefined) return best.get(item);
    const row = rows.find((placed) => placed.row.id === said)?.row;
    return row && { row, basis: "said" };
  });
}
