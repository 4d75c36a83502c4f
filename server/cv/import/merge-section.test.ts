import { expect, test } from "@jest/globals";
import type { Row } from "../resume/item.ts";
import { arrangeRows, fitInNew, numberRows } from "./merge-section.ts";

const row = (id: number, position = 0): Row => ({
  id,
  position,
  isHidden: false,
  isSectionHidden: false,
  neutral: {},
  localized: {},
  extra: {},
});
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

test("rows that the file doesn't name stay behind the one that they stood behind", () => {
  const [a, b, c, d] = [row(1), row(2), row(3), row(4)];
  expect(idsOf(arrangeRows([a, b, c, d], [d, a], [b, c]))).toEqual([4, 1, 2, 3]);
  expect(idsOf(arrangeRows([a, b, c], [c], [a, b]))).toEqual([1, 2, 3]);
  expect(idsOf(arrangeRows([], [row(0), row(0)], []))).toEqual([0, 0]);
});

test("where a file says nothing of the order, rows keep theirs, and new ones stand as in the file", () => {
  const [a, b, c] = [row(1), row(2), row(3)];
  const first = row(0);
  const [second, third] = [row(0), row(0)];
  const order = fitInNew([a, b, c], [first, c, second, third, a], [b]);
  expect(order).toEqual([first, a, b, c, second, third]);
  expect([order[0], order[4], order[5]].map((one, at) => one === [first, second, third][at])).toEqual([
    true,
    true,
    true,
  ]);
  expect(fitInNew([], [first, second], [])).toEqual([first, second]);
});

test.each([
  ["an order that the positions say already", [row(7, -2), row(3, 5), row(4, 5)], [-2, 5, 5]],
  ["equal positions against the order of the ids", [row(4, 5), row(3, 5)], [1, 2]],
  ["a new row in between", [row(1, 10), row(0), row(2, 20)], [10, 11, 20]],
  ["new rows first", [row(0), row(0), row(1, 1)], [1, 2, 3]],
  ["no room above", [row(1, 2_147_483_647), row(0)], [1, 2]],
])("%s", (_name, order, positions) => {
  expect(numberRows(order).map(({ position }) => position)).toEqual(positions);
});
