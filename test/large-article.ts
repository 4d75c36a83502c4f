import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn, searchColumn, searchIndex } from "#server/models/columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "#server/models/declare.ts";

/** What a localized field is sorted by in a language. */
const SHOWN = {
  en: `coalesce("name" ->> 'en', "name" ->> 'tr') COLLATE "en-x-icu"`,
  tr: `coalesce("name" ->> 'tr', "name" ->> 'en') COLLATE "tr-x-icu"`,
};

const largeArticleTable = pgTable(
  "test_large_article",
  {
    ...baseColumns(),
    title: text("title").notNull(),
    name: localizedColumn("name"),
    views: integer("views").notNull().default(0),
    published_at: timestamp("published_at", { withTimezone: true, mode: "string" }),
    search: searchColumn({ plain: ["title"] }),
  },
  (table) => [
    index("test_large_article_title_en").on(sql.raw(`"title" COLLATE "en-x-icu"`), table.id),
    index("test_large_article_title_tr").on(sql.raw(`"title" COLLATE "tr-x-icu"`), table.id),
    index("test_large_article_name_en").on(sql.raw(SHOWN.en), table.id),
    index("test_large_article_name_tr").on(sql.raw(SHOWN.tr), table.id),
    index("test_large_article_name_en_down").on(
      sql.raw(`${SHOWN.en} DESC NULLS LAST`),
      table.id.desc().nullsFirst(),
    ),
    index("test_large_article_name_tr_down").on(
      sql.raw(`${SHOWN.tr} DESC NULLS LAST`),
      table.id.desc().nullsFirst(),
    ),
    index("test_large_article_published").on(table.published_at, table.id),
    index("test_large_article_published_down").on(table.published_at.desc(), table.id.desc().nullsFirst()),
    searchIndex("test_large_article", table.search),
  ],
);

/** An article of which there may be a million: sorted by a text, a localized text and a moment that may be missing. */
export const largeArticle = declareModel({
  app: "test",
  name: "large_article",
  table: largeArticleTable,
  labels: { en: "Large article", tr: "Büyük makale" },
  pluralLabels: { en: "Large articles", tr: "Büyük makaleler" },
  help: { en: "Very many articles.", tr: "Pek çok makale." },
  fields: {
    title: { kind: "text", labels: { en: "Title", tr: "Başlık" }, maxLength: 200 },
    name: { kind: "localized_text", labels: { en: "Name", tr: "Ad" }, maxLength: 200 },
    views: { kind: "integer", labels: { en: "Views", tr: "Görüntülenme" } },
    published_at: { kind: "date_time", labels: { en: "Published", tr: "Yayım" } },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "name", "views", "published_at"],
  search: ["title"],
  defaultSort: [{ field: "published_at", direction: "desc" }],
  large: true,
  sorts: ["title", "name", "published_at"],
  access: STAFF_CONTENT,
});

/** The table's statements, as drizzle-kit would generate them. */
export const LARGE_ARTICLE_SQL = `
  CREATE TABLE test_large_article (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    title text NOT NULL, name jsonb, views integer NOT NULL DEFAULT 0, published_at timestamptz,
    search text GENERATED ALWAYS AS (foyer_fold(coalesce("title", ''))) STORED);
  CREATE INDEX test_large_article_title_en ON test_large_article ("title" COLLATE "en-x-icu", id);
  CREATE INDEX test_large_article_title_tr ON test_large_article ("title" COLLATE "tr-x-icu", id);
  CREATE INDEX test_large_article_name_en ON test_large_article ((${SHOWN.en.replace(" COLLATE", ") COLLATE")}, id);
  CREATE INDEX test_large_article_name_tr ON test_large_article ((${SHOWN.tr.replace(" COLLATE", ") COLLATE")}, id);
  CREATE INDEX test_large_article_name_en_down ON test_large_article ((${SHOWN.en.replace(" COLLATE", ") COLLATE")} DESC NULLS LAST, id DESC);
  CREATE INDEX test_large_article_name_tr_down ON test_large_article ((${SHOWN.tr.replace(" COLLATE", ") COLLATE")} DESC NULLS LAST, id DESC);
  CREATE INDEX test_large_article_published ON test_large_article (published_at, id);
  CREATE INDEX test_large_article_published_down ON test_large_article (published_at DESC NULLS LAST, id DESC);
  CREATE INDEX test_large_article_search_trgm ON test_large_article USING gin (search gin_trgm_ops)`;
