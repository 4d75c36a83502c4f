import { expect, test } from "@jest/globals";
import { type BuildExtraConfigColumns, sql } from "drizzle-orm";
import { index, integer, type PgTableExtraConfigValue, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn, searchColumn, searchIndex } from "../columns.ts";
import { type ModelDeclaration, STAFF_CONTENT } from "../declare.ts";
import { buildRegistry, RegistryError } from "./registry.ts";

const LABELS = { en: "Note", tr: "Not" };

const buildColumns = () => ({
  ...baseColumns(),
  title: localizedColumn("title").notNull(),
  body: text("body"),
  views: integer("views"),
  rank: integer("rank").notNull(),
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
      rank: { kind: "integer", labels: LABELS },
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
      index("by_rank").on(columns.rank, columns.id),
      ...["en", "tr"].flatMap((lang) => {
        const body = sql`${columns.body} COLLATE ${sql.raw(`"${lang}-x-icu"`)}`;
        return [
          index(`by_body_${lang}`).on(body, columns.id),
          index(`by_body_${lang}_down`).on(sql`${body} DESC NULLS LAST`, columns.id.desc().nullsFirst()),
        ];
      }),
    ],
    { sorts: ["rank", "body"] },
  );
  expect(faults).toBe("");
});

const UNSERVED = ": no index serves a sort by it: one is needed on ";

test.each<[string, (columns: Columns) => PgTableExtraConfigValue, boolean]>([
  ["ascending", ({ rank, id }) => index("i").on(rank, id), true],
  [
    "descending with nulls first",
    ({ rank, id }) => index("i").on(rank.desc().nullsFirst(), id.desc().nullsFirst()),
    true,
  ],
  ["descending with nulls last", ({ rank, id }) => index("i").on(rank.desc(), id.desc()), false],
  ["of both directions", ({ rank, id }) => index("i").on(rank, id.desc().nullsFirst()), false],
  ["without the key", ({ rank }) => index("i").on(rank), false],
  ["of some rows", ({ rank, id }) => index("i").on(rank, id).where(sql`${rank} > 0`), false],
  ["of another column first", ({ rank, body, id }) => index("i").on(body, rank, id), false],
])("whether an index %s serves a sort by what is never null", (_, build, isServed) => {
  const faults = getFaults((columns) => [trigram(columns), build(columns)], { sorts: ["rank"] });
  expect(faults.includes(UNSERVED)).toBe(!isServed);
});

const UP = '("views", id)';
const DOWN = '("views" DESC NULLS LAST, id DESC NULLS FIRST), since it may be null';
test.each<[string, (columns: Columns) => PgTableExtraConfigValue[], string[]]>([
  ["ascending", ({ views, id }) => [index("i").on(views, id)], [DOWN]],
  [
    "descending with nulls last",
    ({ views, id }) => [index("i").on(views.desc(), id.desc().nullsFirst())],
    [UP],
  ],
  [
    "descending with nulls first, which is ascending read backward",
    ({ views, id }) => [index("i").on(views.desc().nullsFirst(), id.desc().nullsFirst())],
    [DOWN],
  ],
  [
    "descending with the key's nulls last",
    ({ views, id }) => [index("i").on(views.desc(), id.desc())],
    [UP, DOWN],
  ],
  [
    "in each direction",
    ({ views, id }) => [index("i").on(views, id), index("j").on(views.desc(), id.desc().nullsFirst())],
    [],
  ],
])("what a sort by what may be null still needs beside an index %s", (_, build, needed) => {
  const faults = getFaults((columns) => [trigram(columns), ...build(columns)], { sorts: ["views"] });
  expect([UP, DOWN].filter((index) => faults.includes(`field views${UNSERVED}${index}`))).toEqual(needed);
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
