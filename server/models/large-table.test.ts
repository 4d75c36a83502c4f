import { expect, test } from "@jest/globals";
import { type BuildExtraConfigColumns, sql } from "drizzle-orm";
import { index, integer, type PgTableExtraConfigValue, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn, searchColumn, searchIndex } from "./columns.ts";
import { type ModelDeclaration, STAFF_CONTENT } from "./declare.ts";
import { buildRegistry, RegistryError } from "./registry.ts";

const LABELS = { en: "Note", tr: "Not" };

const buildColumns = () => ({
  ...baseColumns(),
  title: localizedColumn("title").notNull(),
  body: text("body"),
  views: integer("views"),
  search: searchColumn({ plain: ["body"], localized: ["title"] }),
});
type Columns = BuildExtraConfigColumns<"test_note", ReturnType<typeof buildColumns>, "pg">;

/** What the registry says of a large model with these indexes. */
function getFaults(
  indexes: (columns: Columns) => PgTableExtraConfigValue[],
  changes: Partial<ModelDeclaration> = {},
): string {
  const declaration: ModelDeclaration = {
    app: "test",
    name: "note",
    table: pgTable("test_note", buildColumns(), indexes),
    labels: LABELS,
    pluralLabels: LABELS,
    help: LABELS,
    fields: {
      title: { kind: "localized_text", labels: LABELS },
      body: { kind: "text", labels: LABELS },
      views: { kind: "integer", labels: LABELS },
    },
    title: "title",
    list: ["title"],
    search: ["body", "title"],
    large: true,
    defaultSort: [{ field: "id", direction: "asc" }],
    access: STAFF_CONTENT,
    ...changes,
  };
  try {
    buildRegistry([declaration], new Map());
  } catch (error) {
    if (error instanceof RegistryError) return error.message;
    throw error;
  }
  return "";
}

const trigram = (columns: Columns) => searchIndex("test_note", columns.search);

test("a large model with an index for its search and for each sort is right", () => {
  const faults = getFaults(
    (columns) => [
      trigram(columns),
      index("by_views").on(columns.views, columns.id),
      index("by_body_en").on(sql`${columns.body} COLLATE "en-x-icu"`, columns.id),
      index("by_body_tr").on(sql`${columns.body} COLLATE "tr-x-icu"`, columns.id),
    ],
    { sorts: ["views", "body"] },
  );
  expect(faults).toBe("");
});

const UNSERVED = "field views: no index serves a sort by it";

test.each<[string, (columns: Columns) => PgTableExtraConfigValue, boolean]>([
  ["ascending", ({ views, id }) => index("i").on(views, id), true],
  [
    "descending with nulls first",
    ({ views, id }) => index("i").on(views.desc().nullsFirst(), id.desc().nullsFirst()),
    true,
  ],
  ["descending with nulls last", ({ views, id }) => index("i").on(views.desc(), id.desc()), false],
  ["of both directions", ({ views, id }) => index("i").on(views, id.desc().nullsFirst()), false],
  ["without the key", ({ views }) => index("i").on(views), false],
  ["of some rows", ({ views, id }) => index("i").on(views, id).where(sql`${views} > 0`), false],
  ["of another column first", ({ views, body, id }) => index("i").on(body, views, id), false],
])("whether an index %s serves a sort", (_, build, isServed) => {
  const faults = getFaults((columns) => [trigram(columns), build(columns)], { sorts: ["views"] });
  expect(faults.includes(UNSERVED)).toBe(!isServed);
});

test.each<[string, readonly string[], RegExp]>([
  ["in another order", ["title", "body"], /field search: the search column holds/],
  ["of fewer fields", ["body"], /field search: the search column holds/],
  ["of no field", [], /field search: the search column has no declared search fields/],
])("a search column %s is named", (_, search, fault) => {
  expect(getFaults((columns) => [trigram(columns)], { search })).toMatch(fault);
});

test("a search column without its trigram index is named", () => {
  expect(getFaults(() => [])).toMatch(/field search: the search column has no trigram index/);
});

test("a search column that is built beside the server must not be in the table", () => {
  expect(getFaults((columns) => [trigram(columns)], { searchIsBuilt: true })).toMatch(
    /must not be in the table/,
  );
});
