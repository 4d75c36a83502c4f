import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { baseColumns, searchColumn, searchIndex } from "#server/models/columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "#server/models/declare.ts";
import { userTable } from "#server/models/declared/user.ts";

/** The model of bench/admin.ts: large, with an author among the site's users. The product does not have it. */
const articleTable = pgTable(
  "bench_article",
  {
    ...baseColumns(),
    title: text("title").notNull(),
    body: text("body"),
    status: text("status").notNull().default("draft"),
    views: integer("views").notNull().default(0),
    published_at: timestamp("published_at", { withTimezone: true, mode: "string" }),
    author: integer("author").references(() => userTable.id),
    search: searchColumn({ plain: ["title"] }),
  },
  (table) => [
    index("bench_article_published").on(table.published_at, table.id),
    index("bench_article_published_down").on(table.published_at.desc(), table.id.desc().nullsFirst()),
    index("bench_article_status").on(table.status, table.published_at.desc(), table.id.desc().nullsFirst()),
    index("bench_article_views").on(table.views, table.id),
    index("bench_article_author").on(table.author),
    searchIndex("bench_article", table.search),
  ],
);

export const benchArticle = declareModel({
  app: "bench",
  name: "article",
  table: articleTable,
  labels: { en: "Article", tr: "Makale" },
  pluralLabels: { en: "Articles", tr: "Makaleler" },
  help: { en: "Articles of a bench.", tr: "Ölçüm makaleleri." },
  fields: {
    title: { kind: "text", labels: { en: "Title", tr: "Başlık" }, maxLength: 200 },
    body: { kind: "long_text", labels: { en: "Body", tr: "Metin" } },
    status: {
      kind: "choice",
      labels: { en: "Status", tr: "Durum" },
      required: false,
      choices: [
        { value: "draft", labels: { en: "Draft", tr: "Taslak" } },
        { value: "review", labels: { en: "In review", tr: "İncelemede" } },
        { value: "published", labels: { en: "Published", tr: "Yayımda" } },
        { value: "archived", labels: { en: "Archived", tr: "Arşivde" } },
      ],
    },
    views: { kind: "integer", labels: { en: "Views", tr: "Görüntülenme" } },
    published_at: { kind: "date_time", labels: { en: "Published", tr: "Yayım" } },
    author: { kind: "relation", labels: { en: "Author", tr: "Yazar" }, related: "accounts.user" },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "status", "views", "author", "published_at"],
  search: ["title"],
  defaultSort: [{ field: "id", direction: "asc" }],
  large: true,
  sorts: ["published_at", "views"],
  access: STAFF_CONTENT,
});

/** The table's statements, as drizzle-kit would generate them. */
export const ARTICLE_SQL = `
  CREATE TABLE bench_article (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    title text NOT NULL, body text, status text NOT NULL DEFAULT 'draft', views integer NOT NULL DEFAULT 0,
    published_at timestamptz, author integer REFERENCES account_user (id),
    search text GENERATED ALWAYS AS (foyer_fold(coalesce(title, ''))) STORED)`;

/** Made after the rows: an index that grows with them costs many times that. */
export const ARTICLE_INDEX_SQL = `
  CREATE INDEX bench_article_published ON bench_article (published_at, id);
  CREATE INDEX bench_article_published_down ON bench_article (published_at DESC NULLS LAST, id DESC);
  CREATE INDEX bench_article_status ON bench_article (status, published_at DESC NULLS LAST, id DESC);
  CREATE INDEX bench_article_views ON bench_article (views, id);
  CREATE INDEX bench_article_author ON bench_article (author);
  CREATE INDEX bench_article_search_trgm ON bench_article USING gin (search gin_trgm_ops)`;
