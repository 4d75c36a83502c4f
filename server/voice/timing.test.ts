import { expect, test } from "@jest/globals";
import { Budgets } from "./timing.ts";

test("budgets that are full again are forgotten, and those that aren't stay", () => {
  let now = 0;
  const budgets = new Budgets({ now: () => now, after: () => () => undefined });
  for (let n = 0; n < 1000; n += 1) budgets.take(`of a moment ${n}`, { burst: 2, perS: 1 });
  budgets.take("slow", { burst: 1, perS: 0.01 });
  now = 61_000;
  expect(budgets.take("slow", { burst: 1, perS: 0.01 })).toBe(false);
  expect(budgets.size).toBe(1);
});
