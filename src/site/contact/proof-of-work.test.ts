/** @jest-environment node */
import { expect, test } from "@jest/globals";
import { isSolved, PUZZLES, ZERO_BITS } from "#server/contact/challenge.ts";
import { canWork, solve } from "./proof-of-work.ts";

test("what the page works off, the server takes", async () => {
  const challenge = "work.mabc.AAAAAAAAAAAAAAAAAAAAAA.mark";
  const work = { challenge, puzzles: PUZZLES, zero_bits: ZERO_BITS, wait_ms: 0, lifetime_ms: 0 };
  const solution = await solve(work);
  expect(isSolved(challenge, solution)).toBe(true);
  expect(isSolved("work.mabd.AAAAAAAAAAAAAAAAAAAAAA.mark", solution)).toBe(false);
});

test("a browser without SHA-256 can't do it", () => {
  expect(canWork()).toBe(true);
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    expect(canWork()).toBe(false);
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  }
});
