import { pgTable, text, unique } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";
import { PAGE_FACTS_HELP } from "./page-facts.ts";

export const sitePageTable = pgTable(
  "site_page",
  {
    ...baseColumns(),
    slug: text("slug").notNull(),
    title: localizedColumn("title").notNull(),
    body: localizedColumn("body").notNull(),
    search: searchColumn({ plain: ["slug"], localized: ["title", "body"] }),
  },
  (table) => [unique("site_page_slug").on(table.slug), searchIndex("site_page", table.search)],
);

export const sitePage = declareModel({
  app: "site",
  name: "page",
  order: 210,
  table: sitePageTable,
  labels: { en: "Page", tr: "Sayfa" },
  pluralLabels: { en: "Pages", tr: "Sayfalar" },
  help: {
    en: "The terms of use and the privacy notice. Their addresses are fixed.",
    tr: "Kullanım koşulları ve gizlilik bildirimi. Adresleri değişmez.",
  },
  fields: {
    slug: { kind: "slug", labels: { en: "Address", tr: "Adres" }, readOnly: true },
    title: { kind: "localized_text", labels: { en: "Title", tr: "Başlık" }, maxLength: 200 },
    body: {
      kind: "localized_markdown",
      labels: { en: "Text", tr: "Metin" },
      help: PAGE_FACTS_HELP,
      maxLength: 50_000,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "slug", "updated_at"],
  search: ["slug", "title", "body"],
  defaultSort: [{ field: "slug", direction: "asc" }],
  // The two pages are linked from elsewhere: nobody adds or deletes one.
  access: { view: 10, create: null, update: 10, delete: null },
  site: {},
});
