import { expect, test } from "@jest/globals";
import { solve } from "./fixture.ts";
import { isSolved, PUZZLES, ZERO_BITS } from "./proof-of-work.ts";

const solveFor = (challenge: string) =>
  solve({ challenge, puzzles: PUZZLES, zero_bits: ZERO_BITS, wait_ms: 0, lifetime_ms: 0 });

test("a solution is good for its challenge alone", () => {
  const solution = solveFor("a");
  expect(isSolved("a", solution)).toBe(true);
  expect(isSolved("b", solution)).toBe(false);
});

test("one wrong number, one too few, one too many: not solved", () => {
  const numbers = solveFor("a").split(".");
  const [first, ...others] = numbers;
  expect(isSolved("a", [Number(first) + 1, ...others].join("."))).toBe(false);
  expect(isSolved("a", others.join("."))).toBe(false);
  expect(isSolved("a", [...numbers, "1"].join("."))).toBe(false);
});

test("each puzzle is one of its own", () => {
  expect(isSolved("a", solveFor("a").split(".").reverse().join("."))).toBe(false);
});

test.each(["", ".", "1..2", "-1", "1e3", "0x10", "9".repeat(400), Array(PUZZLES).fill("x").join(".")])(
  "%j is no solution",
  (text) => {
    expect(isSolved("a", text)).toBe(false);
  },
);
