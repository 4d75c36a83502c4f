import { expect, test } from "@jest/globals";
import { MessageBudget } from "./client-connection.ts";

function takeMany(budget: MessageBudget, count: number, nowMs: number): number {
  return Array.from({ length: count }, () => budget.take(nowMs)).filter(Boolean).length;
}

test("a burst is let through, and the rest as time goes by", () => {
  const budget = new MessageBudget(600, 100, 0);
  expect(takeMany(budget, 700, 0)).toBe(600);
  expect(takeMany(budget, 700, 1000)).toBe(100);
  expect(takeMany(budget, 700, 1010)).toBe(1);
});

test("a newcomer to a full voice room has room for 300 messages in two seconds, twice", () => {
  const budget = new MessageBudget(600, 100, 0);
  expect(takeMany(budget, 300, 0) + takeMany(budget, 300, 2000)).toBe(600);
});

test("what wasn't used adds up to one burst at most", () => {
  const budget = new MessageBudget(600, 100, 0);
  expect(takeMany(budget, 2000, 3_600_000)).toBe(600);
});
