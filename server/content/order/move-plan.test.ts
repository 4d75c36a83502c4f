import { expect, test } from "@jest/globals";
import { MAX_INT4 } from "#server/db/sql.ts";
import { type Neighbour, planMove } from "./move-plan.ts";

const toRows = (places: readonly number[], fixed: readonly number[] = []): Neighbour[] =>
  places.map((place, index) => ({ id: index + 1, place, isFixed: fixed.includes(index + 1) }));

/** Moves the row of an id before the `at`-th of the others, and gives its plan and all rows in their new order. */
function move(rows: readonly Neighbour[], id: number, at: number) {
  const others = rows.filter((row) => row.id !== id);
  const plan = planMove(others, id, at);
  const numbers = new Map(plan?.map((row) => [row.id, row.place]));
  const after = rows
    .map((row) => ({ ...row, place: numbers.get(row.id) ?? row.place }))
    .sort((a, b) => a.place - b.place || a.id - b.id);
  const wanted = others.map((row) => row.id);
  wanted.splice(at, 0, id);
  return { plan, after, ids: after.map((row) => row.id), wanted };
}

test("where there is a gap, only the moved row gets a number, in its middle", () => {
  expect(move(toRows([10, 20, 30]), 3, 1).plan).toEqual([{ id: 3, place: 15 }]);
});

test("neighbours without a gap change places", () => {
  expect(move(toRows([1, 2, 3, 4]), 3, 1).plan).toEqual([
    { id: 3, place: 2 },
    { id: 2, place: 3 },
  ]);
});

test("rows that have to give way at the end get room for the next ones", () => {
  const { plan, ids, wanted } = move(toRows([1, 2, 3, 4, 5]), 5, 2);
  expect(ids).toEqual(wanted);
  expect(plan?.map((row) => row.place)).toEqual([12, 22, 32]);
});

test("rows of the same number are told apart", () => {
  const { ids, wanted } = move(toRows([7, 7, 7, 7]), 4, 1);
  expect(ids).toEqual(wanted);
});

test("behind the highest number that there is, the rows before it give way", () => {
  const { ids, wanted, after } = move(toRows([1, MAX_INT4 - 1, MAX_INT4, MAX_INT4]), 1, 3);
  expect(ids).toEqual(wanted);
  expect(after.at(-1)?.place).toBeLessThanOrEqual(MAX_INT4);
});

test("before the lowest number that there is, the rows behind it give way", () => {
  const { ids, wanted, after } = move(toRows([-MAX_INT4, 1 - MAX_INT4, 5]), 3, 0);
  expect(ids).toEqual(wanted);
  expect(after[0]?.place).toBeGreaterThanOrEqual(-MAX_INT4);
});

test("a long list takes numbers below 1 rather than write every row", () => {
  const rows = toRows(Array.from({ length: 10_000 }, (_, index) => index + 1));
  expect(move(rows, 10_000, 0).plan).toHaveLength(1);
});

test("a short list keeps its numbers above 0", () => {
  const { ids, wanted, after } = move(toRows([1, 2, 3]), 3, 0);
  expect(ids).toEqual(wanted);
  expect(after[0]?.place).toBeGreaterThan(0);
});

test("rows that have given way once need not do so the next time", () => {
  const rows = toRows(Array.from({ length: 10_000 }, (_, index) => index + 1));
  const first = move(rows, 10_000, 5000);
  expect(first.plan?.length).toBeLessThanOrEqual(5001);
  const written = [1, 2, 3].map((id) => {
    const at = first.after.findIndex((row) => row.id === 7000);
    return move(first.after, id, at).plan?.length;
  });
  expect(written).toEqual([1, 1, 1]);
});

test("a row that may not be written keeps its number", () => {
  const { plan, ids, wanted } = move(toRows([1, 2, 3, 4], [2]), 4, 1);
  expect(ids).toEqual(wanted);
  expect(plan?.some((row) => row.id === 2)).toBe(false);
  expect(move(toRows([1, 2, 3, 4], [1, 2]), 4, 1).plan).toBeUndefined();
});

test("any row of any list goes to any place, and the others keep their order", () => {
  let seed = 7;
  const random = (max: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % max;
  };
  for (let round = 0; round < 3000; round++) {
    const range = [3, 12, 1000][random(3)] ?? 3;
    const base = [0, -5, MAX_INT4 - range][random(3)] ?? 0;
    const places = Array.from({ length: 1 + random(12) }, () => base + random(range)).sort((a, b) => a - b);
    let rows = toRows(places);
    for (let step = 0; step < 5; step++) {
      const { ids, wanted, after } = move(rows, 1 + random(rows.length), random(rows.length));
      expect(ids).toEqual(wanted);
      expect(after.every(({ place }) => Math.abs(place) <= MAX_INT4)).toBe(true);
      rows = after;
    }
  }
});
