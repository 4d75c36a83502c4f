import { boolean, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { baseColumns, searchColumn, searchIndex } from "#server/models/columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "#server/models/declare.ts";

/** A model with everything that can refuse a bulk operation: row rules, a unique column, a check, and rows that refer to it. */
const itemTable = pgTable(
  "test_item",
  {
    ...baseColumns(),
    title: text("title").notNull(),
    status: text("status").notNull().default("draft"),
    views: integer("views").notNull().default(0),
    code: text("code"),
    note: text("note"),
    is_locked: boolean("is_locked").notNull().default(false),
    is_secret: boolean("is_secret").notNull().default(false),
    search: searchColumn({ plain: ["title"] }),
  },
  (table) => [unique("test_item_code").on(table.code), searchIndex("test_item", table.search)],
);

export const item = declareModel({
  app: "test",
  name: "item",
  table: itemTable,
  labels: { en: "Item", tr: "Öğe" },
  pluralLabels: { en: "Items", tr: "Öğeler" },
  help: { en: "Items of tests.", tr: "Test öğeleri." },
  fields: {
    title: { kind: "text", labels: { en: "Title", tr: "Başlık" }, maxLength: 200 },
    status: { kind: "text", labels: { en: "Status", tr: "Durum" }, required: false },
    views: { kind: "integer", labels: { en: "Views", tr: "Görüntülenme" } },
    code: { kind: "text", labels: { en: "Code", tr: "Kod" } },
    note: { kind: "text", labels: { en: "Note", tr: "Not" }, viewLevel: 999 },
    is_locked: { kind: "boolean", labels: { en: "Locked", tr: "Kilitli" }, writeLevel: 999 },
    is_secret: { kind: "boolean", labels: { en: "Secret", tr: "Gizli" } },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "status", "views"],
  search: ["title"],
  defaultSort: [],
  access: { view: 10, create: 10, update: 10, delete: 10 },
  rows: [
    {
      belowLevel: 999,
      operations: ["view"],
      where: { field: "is_secret", operator: "exact", value: "false" },
    },
    {
      belowLevel: 999,
      operations: ["update", "delete"],
      where: { field: "is_locked", operator: "exact", value: "false" },
    },
  ],
});

export const ITEM_SQL = `
  CREATE TABLE test_item (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    title text NOT NULL, status text NOT NULL DEFAULT 'draft',
    views integer NOT NULL DEFAULT 0 CONSTRAINT test_item_views CHECK (views < 1000000),
    code text CONSTRAINT test_item_code UNIQUE, note text,
    is_locked boolean NOT NULL DEFAULT false, is_secret boolean NOT NULL DEFAULT false,
    search text GENERATED ALWAYS AS (foyer_fold(coalesce(title, ''))) STORED);
  CREATE INDEX test_item_search_trgm ON test_item USING gin (search gin_trgm_ops);
  CREATE TABLE test_item_holder (item_id integer NOT NULL REFERENCES test_item(id));
  CREATE INDEX test_item_holder_item ON test_item_holder (item_id);
  CREATE TABLE test_item_part (item_id integer NOT NULL REFERENCES test_item(id) ON DELETE CASCADE);
  CREATE INDEX test_item_part_item ON test_item_part (item_id)`;
