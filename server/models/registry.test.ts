import { expect, test } from "@jest/globals";
import { pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn } from "./columns.ts";
import type { FieldDeclaration, ModelDeclaration } from "./declare.ts";
import { STAFF_CONTENT } from "./declare.ts";
import { DECLARED } from "./declared/all.ts";
import { buildRegistry, RegistryError, toModelKey } from "./registry.ts";

const LABELS = { en: "Note", tr: "Not" };
const table = pgTable("test_note", {
  ...baseColumns(),
  title: localizedColumn("title").notNull(),
  body: text("body"),
});

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
    "a missing translation",
    { body: { kind: "text", labels: { en: "Body", tr: " " } } },
    {},
    /field body: a label is missing/,
  ],
  [
    "a field without a column",
    { nowhere: { kind: "text", labels: LABELS } },
    {},
    /field nowhere: the table test_note has no such column/,
  ],
  [
    "a kind on the wrong column",
    { body: { kind: "integer", labels: LABELS } },
    {},
    /field body: kind "integer" wants a column of integer or smallint, not text/,
  ],
  [
    "a relation to nowhere",
    { id: { kind: "relation", labels: LABELS, related: "test.ghost" } },
    {},
    /field id: a relation to "test\.ghost"/,
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
  ["a search without its column", {}, { search: true }, /field search: the table has no search column/],
])("%s is named with file and field", (_, fields, changes, fault) => {
  expect(getFaults(declareNote(fields, changes))).toMatch(fault);
});

test("all faults are told at once", () => {
  const faults = getFaults(
    declareNote({ body: { kind: "x", labels: LABELS }, ghost: { kind: "text", labels: LABELS } }),
  );
  expect(faults).toMatch(/body[\s\S]*ghost/);
});

test("a model declared twice is refused", () => {
  expect(getFaults(declareNote({}), declareNote({}))).toContain("declared twice");
});
