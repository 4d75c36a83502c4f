import { expect, test } from "@jest/globals";
import { integer, numeric, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn } from "../columns.ts";
import { type FieldDeclaration, type ModelDeclaration, STAFF_CONTENT } from "../declare.ts";
import { DECLARED } from "../declared/all.ts";
import { buildRegistry, RegistryError, toModelKey } from "./registry.ts";

const LABELS = { en: "Note", tr: "Not" };
const table = pgTable("test_note", {
  ...baseColumns(),
  title: localizedColumn("title").notNull(),
  body: text("body"),
  price: numeric("price", { precision: 10, scale: 2 }),
  views: integer("views"),
});
const BY_ID = [{ field: "id", direction: "asc" }] as const;

function declareNote(
  fields: Record<string, FieldDeclaration>,
  changes: Partial<ModelDeclaration> = {},
): ModelDeclaration {
  return {
    app: "test",
    name: "note",
    table,
    labels: LABELS,
    pluralLabels: LABELS,
    help: LABELS,
    fields: { title: { kind: "localized_text", labels: LABELS }, ...fields },
    title: "title",
    list: ["title"],
    defaultSort: [{ field: "title", direction: "asc" }],
    access: STAFF_CONTENT,
    ...changes,
  };
}

function getFaults(...declarations: ModelDeclaration[]): string {
  try {
    buildRegistry(declarations, new Map());
  } catch (error) {
    if (error instanceof RegistryError) return error.message;
    throw error;
  }
  return "";
}

test("every declared model of the product is right", () => {
  const ids = new Map(DECLARED.map((declaration, index) => [toModelKey(declaration), index + 1]));
  const registry = buildRegistry(DECLARED, ids);
  expect(registry.models).toHaveLength(DECLARED.length);
  expect(registry.byContentTypeId.get(1)?.key).toBe("cv.profile");
});

test.each<[string, Record<string, FieldDeclaration>, Partial<ModelDeclaration>, RegExp]>([
  [
    "an unknown kind",
    { body: { kind: "hologram", labels: LABELS } },
    {},
    /note\.ts: test\.note, field body: unknown kind "hologram"/,
  ],
  [
    "a default sort by what not everybody sees",
    { views: { kind: "integer", labels: LABELS, viewLevel: 999 } },
    { defaultSort: [{ field: "views", direction: "asc" }] },
    /field views: a field that not everybody sees can't be the default sort/,
  ],
  [
    "an author whom people write",
    { views: { kind: "integer", labels: LABELS, author: true } },
    {},
    /field views: who creates a row is a read-only relation/,
  ],
  [
    "a person who is no relation to one",
    { views: { kind: "integer", labels: LABELS, person: true } },
    {},
    /field views: a person is a relation to one/,
  ],
  [
    "a missing translation",
    { body: { kind: "text", labels: { en: "Body", tr: " " } } },
    {},
    /field body: a label is missing/,
  ],
  [
    "a field without a column",
    { nowhere: { kind: "text", labels: LABELS } },
    {},
    /field nowhere: the table has no column nowhere/,
  ],
  [
    "a kind on the wrong column",
    { body: { kind: "integer", labels: LABELS } },
    {},
    /field body: kind "integer" wants a column of integer, not text/,
  ],
  [
    "a relation to nowhere",
    { body: { kind: "relation", labels: LABELS, related: "test.ghost" } },
    {},
    /field body: a relation to "test\.ghost"/,
  ],
  [
    "a file that accepts nothing",
    { body: { kind: "file", labels: LABELS } },
    {},
    /field body: a file field says which/,
  ],
  ["a list of an undeclared field", {}, { list: ["ghost"] }, /field ghost: the list names no declared field/],
  [
    "a title of an undeclared field",
    {},
    { title: "ghost" },
    /field ghost: the title names no declared field/,
  ],
  [
    "a sort by nothing",
    {},
    { defaultSort: [{ field: "ghost", direction: "asc" }] },
    /field ghost: the default sort/,
  ],
  [
    "a help text in one language",
    { body: { kind: "text", labels: LABELS, help: { en: "Help", tr: "" } } },
    {},
    /field body: a help text is missing/,
  ],
  ["a model's word in one language", {}, { pluralLabels: { en: "Notes", tr: "" } }, /note: pluralLabels are/],
  [
    "a choice's label in one language",
    { body: { kind: "choice", labels: LABELS, choices: [{ value: "a", labels: { en: "A", tr: "" } }] } },
    {},
    /field body: the choice "a" lacks a label/,
  ],
  [
    "a choice without choices",
    { body: { kind: "choice", labels: LABELS } },
    {},
    /field body: a choice says its choices/,
  ],
  [
    "a choice twice",
    {
      body: {
        kind: "choice",
        labels: LABELS,
        choices: [
          { value: "a", labels: LABELS },
          { value: "a", labels: LABELS },
        ],
      },
    },
    {},
    /field body: choices differ/,
  ],
  [
    "a decimal without digits",
    { body: { kind: "decimal", labels: LABELS } },
    {},
    /field body: a decimal says its digits/,
  ],
  [
    "a decimal of other digits than its column",
    { price: { kind: "decimal", labels: LABELS, digits: { total: 12, scale: 2 } } },
    {},
    /field price: digits of 12 and 2 on a column of numeric\(10, ?2\)/,
  ],
  [
    "a range of a text",
    { body: { kind: "text", labels: LABELS, range: { min: 1, max: 2 } } },
    {},
    /field body: only an integer or a decimal has a range/,
  ],
  [
    "a computed field that somebody should write",
    { body: { kind: "computed", of: "integer", sql: "{row}.id", readOnly: false, labels: LABELS } },
    {},
    /field body: nothing writes a field of the kind "computed"/,
  ],
  [
    "a computed field without SQL",
    { body: { kind: "computed", of: "integer", labels: LABELS } },
    {},
    /field body: a computed field has SQL/,
  ],
  [
    "a computed field of nothing",
    { body: { kind: "computed", sql: "{row}.id", labels: LABELS } },
    {},
    /field body: a computed field says of which kind/,
  ],
  [
    "SQL of a field with a column",
    { body: { kind: "text", sql: "now()", labels: LABELS } },
    {},
    /field body: only a computed field has SQL/,
  ],
  [
    "a relation to many without its table",
    { body: { kind: "relation_many", labels: LABELS, related: "test.note" } },
    {},
    /field body: a relation to many says its table/,
  ],
  [
    "a name of the engine's",
    { repr: { kind: "text", labels: LABELS, column: "body" } },
    {},
    /field repr: this name/,
  ],
  [
    "a title that few see",
    { body: { kind: "text", labels: LABELS, viewLevel: 999 } },
    { title: "body" },
    /field body: a field that not everybody sees can't be the title/,
  ],
  [
    "a list column that few see",
    { body: { kind: "text", labels: LABELS, viewLevel: 999 } },
    { list: ["title", "body"] },
    /field body: a field that not everybody sees can't be a column of the list/,
  ],
  [
    "a searched field that few see",
    { body: { kind: "text", labels: LABELS, viewLevel: 999 } },
    { search: ["body"] },
    /field body: a field that not everybody sees can't be searched/,
  ],
  [
    "a field written below the level that sees it",
    { body: { kind: "text", labels: LABELS, viewLevel: 999, writeLevel: 10 } },
    {},
    /field body: written from level 10 on, but seen only from 999 on/,
  ],
  [
    "a row rule that can't be read",
    {},
    { rows: [{ belowLevel: 999, operations: ["view"], where: { field: "ghost", value: "x" } }] },
    /note: a row rule can't be read: .*ghost/,
  ],
  [
    "a search of a kind that has no text",
    { price: { kind: "decimal", labels: LABELS, digits: { total: 10, scale: 2 } } },
    { search: ["price"] },
    /field price: kind "decimal" can't be searched/,
  ],
  [
    "a large model without an order of its own",
    {},
    { large: true, defaultSort: [] },
    /note: a large model has a default sort by one field/,
  ],
  [
    "a sort of a large model that no index serves",
    { views: { kind: "integer", labels: LABELS } },
    { large: true, sorts: ["views"], defaultSort: BY_ID },
    /field views: no index serves a sort by it: one is needed on \("views", id\)/,
  ],
  [
    "a default sort of a large model that is none of its sorts",
    { views: { kind: "integer", labels: LABELS } },
    { large: true, defaultSort: [{ field: "views", direction: "asc" }] },
    /field views: the default sort names no sortable field/,
  ],
  [
    "a text sort of a large model with an index of no language",
    {},
    { large: true, sorts: ["title"], defaultSort: BY_ID },
    /field title: no index[^\n]*en-x-icu[^\n]*\n[^\n]*field title: no index[^\n]*tr-x-icu/,
  ],
  ["sorts of a small model", {}, { sorts: ["title"] }, /note: sorts are declared of large models alone/],
  [
    "a label without its Turkish",
    // biome-ignore lint/suspicious/noExplicitAny: a declaration from elsewhere is plain data.
    { body: { kind: "text", labels: { en: "Body" } as any } },
    {},
    /field body: a label is missing/,
  ],
  [
    "a kind that every object has",
    { body: { kind: "constructor", labels: LABELS } },
    {},
    /field body: unknown kind "constructor"/,
  ],
  [
    "a computed field of what every object has",
    { body: { kind: "computed", of: "toString", sql: "{row}.id", labels: LABELS } },
    {},
    /field body: a computed field says of which kind/,
  ],
  [
    "a row rule with a value of another kind",
    { views: { kind: "integer", labels: LABELS } },
    { rows: [{ belowLevel: 999, operations: ["view"], where: { field: "views", value: "many" } }] },
    /note\.ts: test\.note: a row rule can't be read: .*views/,
  ],
  [
    "a row rule that folds away",
    { body: { kind: "text", labels: LABELS } },
    {
      rows: [
        { belowLevel: 999, operations: ["view"], where: { field: "body", operator: "contains", value: "´" } },
      ],
    },
    /note: a row rule can't be read: .*body/,
  ],
  [
    "who updates what they don't see",
    {},
    { access: { ...STAFF_CONTENT, update: 5 } },
    /note: update from level 5 on, but view only from 10 on/,
  ],
  [
    "who creates what nobody sees",
    {},
    { access: { ...STAFF_CONTENT, view: null } },
    /note: create from level 10 on, but view only/,
  ],
  ["a level that is none", {}, { access: { ...STAFF_CONTENT, view: Number.NaN } }, /view from level NaN on/],
  [
    "a field's level that is none",
    { body: { kind: "text", labels: LABELS, viewLevel: Number.NaN } },
    {},
    /field body: seen from level NaN/,
  ],
  [
    "a row rule below no level",
    {},
    { rows: [{ belowLevel: Number.NaN, operations: ["view"], where: { field: "id", value: 1 } }] },
    /note: a row rule below level NaN/,
  ],
  ["a list column twice", {}, { list: ["title", "title"] }, /field title: it is a column of the list twice/],
  [
    "a sort in no direction",
    {},
    // biome-ignore lint/suspicious/noExplicitAny: a declaration from elsewhere is plain data.
    { defaultSort: [{ field: "title", direction: "sideways" as any }] },
    /field title: the default sort goes "asc" or "desc", not "sideways"/,
  ],
  [
    "a value that nobody who creates a row can write",
    { title: { kind: "localized_text", labels: LABELS, readOnly: true } },
    {},
    /field title: the table wants a value, which nobody who creates a row can give/,
  ],
  [
    "a value that few who create a row can write",
    { title: { kind: "localized_text", labels: LABELS, writeLevel: 999 } },
    {},
    /field title: the table wants a value/,
  ],
  [
    "a value that no field has",
    { body: { kind: "text", labels: LABELS, column: "body" } },
    {
      table: pgTable("test_sealed", {
        ...baseColumns(),
        title: localizedColumn("title"),
        body: text("body"),
        seal: text("seal").notNull(),
      }),
    },
    /field seal: the table wants a value/,
  ],
  ["a search without its column", {}, { search: ["title"] }, /field search: the table has no search column/],
])("%s is named with file and field", (_, fields, changes, fault) => {
  expect(getFaults(declareNote(fields, changes))).toMatch(fault);
});

test("all faults are reported at once", () => {
  const faults = getFaults(
    declareNote({ body: { kind: "x", labels: LABELS }, ghost: { kind: "text", labels: LABELS } }),
  );
  expect(faults).toMatch(/body[\s\S]*ghost/);
});

test("a model declared twice is refused", () => {
  expect(getFaults(declareNote({}), declareNote({}))).toContain("declared twice");
});

test("a model whose rows a writer creates may have columns of the writer's own", () => {
  const title = { kind: "localized_text", labels: LABELS, readOnly: true };
  expect(getFaults(declareNote({ title }, { hasWriter: true }))).toBe("");
});

test("what asks for a recent log-in is there, and may be done", () => {
  const stepUp = { update: ["ghost"], create: true } as const;
  const access = { view: 10, create: null, update: 10, delete: null };
  const faults = getFaults(declareNote({}, { stepUp, access }));
  expect(faults).toMatch(/field ghost: a change of it asks for a recent log-in/);
  expect(faults).toMatch(/create asks for a recent log-in, but nobody may do it/);
});
