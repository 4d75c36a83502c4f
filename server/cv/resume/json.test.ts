import { expect, test } from "@jest/globals";
import { RESUME_SCHEMA } from "./faults.ts";
import { orderKeys } from "./json.ts";

test("keys stand in the schema's order, unknown ones behind them by code unit, at every depth", () => {
  const work = { zebra: 1, highlights: [], name: "A", Apple: { b: 1, a: 2 }, position: "B" };
  const document = { skills: [], extra: 1, work: [work], basics: { profiles: [], name: "C" } };
  expect(JSON.stringify(orderKeys(document, RESUME_SCHEMA))).toBe(
    JSON.stringify({
      basics: { name: "C", profiles: [] },
      work: [{ name: "A", position: "B", highlights: [], Apple: { a: 2, b: 1 }, zebra: 1 }],
      skills: [],
      extra: 1,
    }),
  );
});

test("keys that JavaScript gives a meaning of their own stay keys", () => {
  const text = '{"__proto__":{"b":1,"a":2},"constructor":3}';
  expect(JSON.stringify(orderKeys(JSON.parse(text), RESUME_SCHEMA))).toBe(
    '{"__proto__":{"a":2,"b":1},"constructor":3}',
  );
});
