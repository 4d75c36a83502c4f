import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type KindBench, openKind } from "#test/kind.ts";
import type { FieldDeclaration } from "../declare.ts";
import { KINDS } from "../kinds.ts";

let bench: KindBench;

beforeAll(async () => {
  bench = await openKind("computed");
  await bench.run("INSERT INTO test_everything (title, integer) VALUES ('a', 21), ('b', -1), ('c', NULL)");
});
afterAll(() => bench.close());

test("a value is computed from its row, and reads, sorts and exports as the kind it is of", async () => {
  expect(await bench.read(1)).toEqual({ read: 42, json: 42, texts: { computed: "42" } });
  expect(await bench.sort()).toEqual([2, 1, 3]);
  expect(bench.field).toMatchObject({ isReadOnly: true, isRequired: false, column: null });
  expect(bench.field.kind).toMatchObject({ control: "read-only", wireType: "IntegerField" });
});

test.each<[string, unknown, unknown]>([
  ["exact", "42", [1]],
  ["lt", "0", [2]],
  ["range", "-5,50", [1, 2]],
  ["isnull", "true", [3]],
  ["exact", "x", "invalid_query"],
])("%s %j finds %j", async (operator, value, found) =>
  expect(await bench.find(operator, value)).toEqual(found),
);

test("a written value is left alone", () => expect(bench.check(7)).toBeUndefined());

test.each<[string, Partial<FieldDeclaration>, RegExp]>([
  ["of no kind", { sql: "{row}.id" }, /of which kind it is, not ""/],
  ["of an unknown kind", { of: "ghost", sql: "{row}.id" }, /not "ghost"/],
  ["of a relation to many", { of: "relation_many", sql: "{row}.id" }, /not "relation_many"/],
  ["without SQL", { of: "integer" }, /SQL that speaks of \{row\}/],
  ["with SQL of no row", { of: "integer", sql: "1" }, /SQL that speaks of \{row\}/],
  ["that is written", { of: "integer", sql: "{row}.id", readOnly: false }, /never written/],
  ["of a decimal without digits", { of: "decimal", sql: "{row}.id" }, /digits/],
])("a declaration %s is refused", (_, declared, fault) => {
  const declaration = { kind: "computed", labels: { en: "x", tr: "x" }, ...declared };
  expect(KINDS.computed?.findFault?.(declaration, KINDS)).toMatch(fault);
});
