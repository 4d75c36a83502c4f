import { expect, test } from "@jest/globals";
import { readSwipe } from "./swipe.ts";

const from = { clientX: 100, clientY: 100 };

test.each([
  ["40 px to the left", -40, 0, null],
  ["41 px to the left", -41, 0, "next"],
  ["40 px to the right", 40, 0, null],
  ["41 px to the right", 41, 0, "previous"],
  ["a slanted way, more across than down", -80, 79, "next"],
  ["a slanted way, more down than across", -80, 81, null],
  ["exactly diagonal", 80, 80, null],
  ["straight down", 0, 300, null],
  ["a tap", 0, 0, null],
])("%s", (_way, across, down, direction) => {
  const to = { clientX: from.clientX + across, clientY: from.clientY + down };
  expect(readSwipe(from, to)).toBe(direction);
});
