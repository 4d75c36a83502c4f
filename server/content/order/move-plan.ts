import { MAX_INT4 } from "#server/db/sql.ts";

/** A row with its number in the model's order. Numbers may have gaps, be below 1, and belong to several rows. */
export interface Placed {
  id: number;
  place: number;
}

/** A row that stands still in a move, unless it has to make room. */
export interface Neighbour extends Placed {
  /** The person may not write it: it keeps its number. */
  isFixed: boolean;
}

/** Between rows that get new numbers where nothing bounds them: the next rows put between them need no others to give way. */
const STEP = 10;
/** Numbers go below 1 only where more rows than this would have to be written otherwise. */
const LONG_RUN = 100;

/** Rows from `from` up to `to` (not included) give way; with the moved one they get numbers between `low` and `high`. */
interface Room {
  from: number;
  to: number;
  low: number;
  high: number;
  /** It takes no numbers behind the last one, and none below 1. */
  isBounded: boolean;
}

/** The room that some rows have among the others, as far as there are numbers; undefined where there are too few. */
function findRoom(
  others: readonly Neighbour[],
  { from, to, floor }: { from: number; to: number; floor: number },
): Room | undefined {
  const steps = (to - from + 2) * STEP;
  const before = others[from - 1]?.place;
  const after = others[to]?.place;
  const low = before ?? Math.max(floor, after === undefined ? 0 : after - steps);
  const high = after ?? Math.min(low + steps, MAX_INT4 + 1);
  if (high - low <= to - from + 1) return undefined;
  return { from, to, low, high, isBounded: after !== undefined && (before !== undefined || low >= 0) };
}

/** How many of the rows from a place on may be written, up to the first one that may not. */
function countMovable(rows: readonly Neighbour[]): number {
  const fixed = rows.findIndex(({ isFixed }) => isFixed);
  return fixed < 0 ? rows.length : fixed;
}

/** The room for which the fewest rows have to give way, on one side of the place or the other. */
function findSmallestRoom(others: readonly Neighbour[], at: number, floor: number): Room | undefined {
  const countAbove = countMovable(others.slice(at));
  const countBelow = countMovable(others.slice(0, at).reverse());
  for (let count = 0; count <= Math.max(countAbove, countBelow); count++) {
    const above = count <= countAbove ? findRoom(others, { from: at, to: at + count, floor }) : undefined;
    const below = count <= countBelow ? findRoom(others, { from: at - count, to: at, floor }) : undefined;
    // Between two rows numbers stay as near to each other as they were.
    const bounded = [above, below].find((room) => room?.isBounded);
    if (bounded ?? above ?? below) return bounded ?? above ?? below;
  }
  return undefined;
}

/** Numbers between two others, evenly spread. */
function spread({ from, to, low, high }: Room): number[] {
  const parts = to - from + 2;
  return Array.from(
    { length: parts - 1 },
    (_, index) => low + Math.floor(((high - low) * (index + 1)) / parts),
  );
}

/**
 * The numbers that put a row before the `at`-th of the others (their length: behind the last): its own, and those of as few
 * others as can be. `others` are all rows but the moved one, in order. Undefined: rows that may not be written leave no room.
 */
export function planMove(others: readonly Neighbour[], movedId: number, at: number): Placed[] | undefined {
  const positive = findSmallestRoom(others, at, 0);
  const isShort = positive && positive.to - positive.from <= LONG_RUN;
  const room = isShort ? positive : (findSmallestRoom(others, at, -MAX_INT4 - 1) ?? positive);
  if (!room) return undefined;
  const numbers = spread(room);
  const ids = others.slice(room.from, room.to).map(({ id }) => id);
  ids.splice(at - room.from, 0, movedId);
  return ids.flatMap((id, index) => {
    const place = numbers[index];
    return place === undefined ? [] : [{ id, place }];
  });
}
