import { expect, test } from "@jest/globals";
import { countSlides, readPosition } from "./slides.ts";

test.each([
  [7, 4, 2],
  [7, 3, 3],
  [15, 2, 8],
  [15, 1, 15],
  [4, 4, 1],
  [1, 2, 1],
  [0, 4, 0],
])("%i items at %i a slide make %i slides", (items, perSlide, slides) => {
  expect(countSlides(items, perSlide)).toBe(slides);
});

test.each([
  ["at its beginning", 0, { index: 0, count: 4 }],
  ["less than half a slide on", 249, { index: 0, count: 4 }],
  ["more than half a slide on", 251, { index: 1, count: 4 }],
  ["a fraction of a pixel short", 999.4, { index: 2, count: 4 }],
  ["beyond its end, while it springs back", 1900, { index: 3, count: 4 }],
])("a box %s", (_where, scrollLeft, position) => {
  expect(readPosition({ clientWidth: 500, scrollWidth: 2000, scrollLeft })).toEqual(position);
});

test("a box that is not drawn has one slide", () => {
  expect(readPosition({ clientWidth: 0, scrollWidth: 0, scrollLeft: 0 })).toEqual({ index: 0, count: 1 });
});
