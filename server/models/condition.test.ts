import { expect, test } from "@jest/globals";
import { AppError } from "#server/base/errors.ts";
import { everything } from "#test/every-kind.ts";
import { toLiteral } from "../db/sql.ts";
import { toCondition } from "./condition.ts";
import { DECLARED } from "./declared/all.ts";
import type { Model } from "./model.ts";
import { buildRegistry, toModelKey } from "./registry/registry.ts";
import { conditionSql, rowRuleSql } from "./row-sql.ts";

const DECLARATIONS = [...DECLARED, everything];
const IDS = new Map(DECLARATIONS.map((declaration, index) => [toModelKey(declaration), index + 1]));

function requireModel(key: string, declarations = DECLARATIONS): Model {
  const model = buildRegistry(declarations, IDS).byKey.get(key);
  if (!model) throw new Error(`no model ${key}`);
  return model;
}

const model = requireModel("test.everything");
const fields = new Map([["id", model.idField], ...model.fieldByName]);

function toSql(where: unknown): string {
  return conditionSql(toCondition(fields, where), "t", toLiteral, { level: 10, userId: 7 });
}

/** As `toSql`, of a row rule. */
function toRuleSql(where: unknown, userId: number | null = 7): string {
  return conditionSql(toCondition(fields, where, []), "t", toLiteral, { level: 10, userId });
}

test.each<[object, string]>([
  [{ field: "id", value: 3 }, '(t."id" = 3::integer)'],
  [{ field: "text", operator: "in", value: '["a,b", "c"]' }, `(t."text" = ANY(ARRAY['a,b', 'c']::text[]))`],
  [
    { field: "integer", operator: "range", value: "[2, 3]" },
    '(t."integer" BETWEEN 2::integer AND 3::integer)',
  ],
  [{ field: "text", operator: "in", value: "[a, b" }, `(t."text" = ANY(ARRAY['[a', 'b']::text[]))`],
  [{ not: { field: "owner", operator: "isnull", value: true } }, '(((t."owner" IS NULL)) IS NOT TRUE)'],
  [
    {
      or: [
        { field: "integer", value: 1 },
        { field: "integer", operator: "range", value: [2, 3] },
      ],
    },
    '((t."integer" = 1::integer) OR (t."integer" BETWEEN 2::integer AND 3::integer))',
  ],
])("%j is %s", (where, sql) => expect(toSql(where)).toBe(sql));

test.each<[object, string]>([
  [{ field: "owner", value: "@me" }, '(t."owner" = 7::integer)'],
  [{ field: "id", value: "@me" }, '(t."id" = 7::integer)'],
  [
    { field: "relation_many", value: "@me" },
    `(EXISTS (SELECT FROM "test_everything_link" m  WHERE m."from_id" = t."id" AND m."to_id" = ANY(ARRAY[7]::integer[])))`,
  ],
])("%j of a row rule is %s", (where, sql) => expect(toRuleSql(where)).toBe(sql));

test("nobody is @me for the server itself", () => {
  expect(toRuleSql({ field: "owner", value: "@me" }, null)).toBe("false");
});

test("@me of a request is a text like any other", () => {
  expect(toSql({ field: "title", value: "@me" })).toBe(`(t."title" = '@me'::text)`);
});

test.each<[string, unknown]>([
  ["a text that is too long", { field: "title", value: "x".repeat(2001) }],
  ["half of a surrogate pair", { field: "title", value: "\ud800" }],
  ["a zero character", { field: "title", value: "a\u0000" }],
  ["a key beside the condition", { field: "title", value: "x", or: [] }],
  ["an empty group", { and: [] }],
  ["two groups in one", { and: [{ field: "id", value: 1 }], or: [{ field: "id", value: 1 }] }],
  ["a list", []],
  ["an object as a value", { field: "title", value: {} }],
  ["an object as an operator", { field: "title", operator: {}, value: "x" }],
  ["an operator that is made no text", { field: "title", operator: { toString: 1 }, value: "x" }],
  ["a field that is made no text", { field: { toString: 1 }, value: "@me" }],
  ["a list in a list", { field: "title", operator: "in", value: '[["x"]]' }],
  ["the reader's own id, which rules alone ask for", { field: "owner", value: "@me" }],
  ["an accent alone", { field: "title", operator: "contains", value: "´" }],
  [
    "marks alone, in one language of two",
    { field: "localized_text", operator: "startswith", value: "\u0301" },
  ],
  ["a dieresis alone", { field: "lower_email", operator: "iexact", value: " ¨ " }],
  [
    "content types that one may view, which rules alone ask for",
    { field: "integer", value: "@viewable_models" },
  ],
])("%s is a query that can't be read", (_, where) => {
  const read = () => toSql(where);
  expect(read).toThrow(AppError);
  expect(read).toThrow("invalid_query");
});

test("a text where @me has no meaning is an unknown field", () => {
  expect(() => toRuleSql({ field: "title", value: "@me" })).toThrow("unknown_field");
});

test("groups are bounded in depth and in number", () => {
  const deep = Array.from({ length: 9 }).reduce<object>((inner) => ({ not: inner }), {
    field: "id",
    value: 1,
  });
  expect(() => toSql(deep)).toThrow("invalid_query");
  const wide = { or: Array.from({ length: 101 }, (_, id) => ({ field: "id", value: id })) };
  expect(() => toSql(wide)).toThrow("invalid_query");
});

const AUDIT = "audit.entry";
const READER = { level: 10, userId: 7 };
/** Without those of which a reader of that level sees no row, or some alone. */
const OPEN = DECLARED.filter(({ name }) => !["invitation", "alert", "alert_rules"].includes(name));

test("the log leaves out models with rows that its reader may not see", () => {
  const log = requireModel(AUDIT);
  const open = OPEN.map((declaration) => IDS.get(toModelKey(declaration))).join(", ");
  const column = 't."content_type_id"';
  const sql = `(${column} IS NULL OR ${column} = ANY(ARRAY[${open}]::integer[]))`;
  expect(rowRuleSql(log, "view", "t", READER)).toBe(sql);
  expect(rowRuleSql(log, "view", "t", { level: 999, userId: 1 })).toBeUndefined();
});

test("the log leaves out models that its reader may not view", () => {
  const closed = { ...everything, rows: [], access: { view: 999, create: 999, update: 999, delete: 999 } };
  const sql = rowRuleSql(requireModel(AUDIT, [...DECLARED, closed]), "view", "t", READER);
  expect(sql).not.toMatch(new RegExp(`\\b${IDS.get("test.everything")}\\b`));
});

test("whoever may view every model reads the whole log, also of models that are gone", () => {
  const log = requireModel(AUDIT, OPEN);
  expect(rowRuleSql(log, "view", "t", READER)).toBe("true");
});
