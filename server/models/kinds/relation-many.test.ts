import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("relation_many");
  await bench.run(`
    INSERT INTO test_everything (title) VALUES ('one'), ('two'), ('three');
    INSERT INTO test_everything_link (from_id, to_id) VALUES (1, 3), (1, 2), (2, 3)`);
});
afterAll(() => bench.close());

test.each<[unknown, unknown]>([
  [
    [3, 1, 3],
    [1, 3],
  ],
  [[], null],
  [null, null],
  [[0], "too_small"],
  [["1"], "invalid_type"],
  [[1.5], "invalid_type"],
  [1, "invalid_type"],
  [Array.from({ length: 1001 }, (_, i) => i + 1), "too_big"],
])("%j is checked to %j", (given, checked) => expect(bench.check(given)).toEqual(checked));

test("related rows are read in the order of their ids, and exported as ids and names", async () => {
  const rows = [
    { id: 2, repr: "two" },
    { id: 3, repr: "three" },
  ];
  expect(await bench.read(1)).toEqual({
    read: rows,
    json: rows,
    texts: { relation_many: "2;3", relation_many_repr: "two; three" },
  });
  expect(await bench.read(3)).toMatchObject({ read: [], texts: { relation_many: null } });
});

test.each<[string, unknown, unknown]>([
  ["exact", "3", [1, 2]],
  ["in", "2,9", [1]],
  ["isnull", "true", [3]],
  ["isnull", "false", [1, 2]],
  ["exact", "x", "invalid_query"],
  ["in", "1,x", "invalid_query"],
  ["exact", "99999999999", "invalid_query"],
  ["gt", "1", "unknown_operator"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);
