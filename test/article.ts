import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { baseColumns, searchColumn, searchIndex } from "#server/models/columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "#server/models/declare.ts";

/** A model that the product does not have: tests and benches prove with it that a declaration is enough. */
const articleTable = pgTable(
  "test_article",
  {
    ...baseColumns(),
    title: text("title").notNull(),
    body: text("body"),
    status: text("status").notNull().default("draft"),
    views: integer("views").notNull().default(0),
    published_at: timestamp("published_at", { withTimezone: true, mode: "string" }),
    search: searchColumn({ plain: ["title"] }),
  },
  (table) => [
    index("test_article_status").on(table.status, table.published_at.desc(), table.id.desc().nullsFirst()),
    searchIndex("test_article", table.search),
  ],
);

export const article = declareModel({
  app: "test",
  name: "article",
  table: articleTable,
  labels: { en: "Article", tr: "Makale" },
  pluralLabels: { en: "Articles", tr: "Makaleler" },
  help: { en: "Articles of tests.", tr: "Test makaleleri." },
  fields: {
    title: { kind: "text", labels: { en: "Title", tr: "Başlık" }, maxLength: 200 },
    body: { kind: "long_text", labels: { en: "Body", tr: "Metin" } },
    status: { kind: "text", labels: { en: "Status", tr: "Durum" }, required: false },
    views: { kind: "integer", labels: { en: "Views", tr: "Görüntülenme" } },
    published_at: { kind: "date_time", labels: { en: "Published", tr: "Yayım" } },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "status", "views", "published_at"],
  search: ["title"],
  defaultSort: [],
  access: STAFF_CONTENT,
});

/** The table's statements, as drizzle-kit would generate them; it is no migration of the product. */
export const ARTICLE_SQL = `
  CREATE TABLE test_article (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    title text NOT NULL, body text, status text NOT NULL DEFAULT 'draft', views integer NOT NULL DEFAULT 0,
    published_at timestamptz,
    search text GENERATED ALWAYS AS (foyer_fold(coalesce(title, ''))) STORED)`;

export const ARTICLE_INDEX_SQL = `
  CREATE INDEX test_article_status ON test_article (status, published_at DESC NULLS LAST, id DESC);
  CREATE INDEX test_article_search_trgm ON test_article USING gin (search gin_trgm_ops)`;
