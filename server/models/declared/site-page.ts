import { boolean, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { PAGE_FACTS_FIELD } from "./page-facts.ts";

export const sitePageTable = pgTable(
  "site_page",
  {
    ...baseColumns(),
    slug: text("slug").notNull(),
    title: localizedColumn("title").notNull(),
    body: localizedColumn("body").notNull(),
    shown_in: text("shown_in", { enum: ["none", "bar", "footer"] })
      .notNull()
      .default("none"),
    position: integer("position").notNull().default(0),
    is_hidden: boolean("is_hidden").notNull().default(false),
    search: searchColumn({ plain: ["slug"], localized: ["title", "body"] }),
  },
  (table) => [
    unique("site_page_slug").on(table.slug),
    index("site_page_position").on(table.position, table.id),
    searchIndex("site_page", table.search),
  ],
);

export const sitePage = declareModel({
  app: "site",
  name: "page",
  order: 210,
  table: sitePageTable,
  labels: { en: "Page", tr: "Sayfa" },
  pluralLabels: { en: "Pages", tr: "Sayfalar" },
  help: {
    en: "Pages of text, each at an address of its own. The terms of use and the privacy notice are always there.",
    tr: "Her biri kendi adresinde duran metin sayfaları. Kullanım koşulları ve gizlilik bildirimi her zaman vardır.",
  },
  fields: {
    title: { kind: "localized_text", labels: { en: "Title", tr: "Başlık" }, maxLength: 200 },
    slug: {
      kind: "slug",
      labels: { en: "Address", tr: "Adres" },
      help: {
        en: "The end of /en/… and /tr/…. After a change the old address leads here.",
        tr: "/en/… ve /tr/… adreslerinin sonu. Değişirse eski adres buraya yönlendirir.",
      },
    },
    body: {
      kind: "localized_markdown",
      labels: { en: "Text", tr: "Metin" },
      ...PAGE_FACTS_FIELD,
      maxLength: 50_000,
    },
    shown_in: {
      kind: "choice",
      labels: { en: "Link in", tr: "Bağlantısı" },
      help: {
        en: "Where every page of the site links to it.",
        tr: "Sitenin her sayfasında bağlantısının durduğu yer.",
      },
      choices: [
        { value: "none", labels: { en: "Nowhere", tr: "Hiçbir yerde" } },
        { value: "bar", labels: { en: "The bar at the top", tr: "Üst çubukta" } },
        { value: "footer", labels: { en: "The footer", tr: "Alt bilgide" } },
      ],
      required: false,
    },
    position: {
      kind: "order",
      labels: { en: "Position", tr: "Sıra" },
      help: {
        en: "Place among the links. Empty: at the end.",
        tr: "Bağlantılar arasındaki yeri. Boşsa en sona.",
      },
      required: false,
    },
    is_hidden: {
      kind: "boolean",
      labels: { en: "Hidden", tr: "Gizli" },
      help: {
        en: "Nobody can open it, and nothing links to it; it stays here.",
        tr: "Kimse açamaz, hiçbir yerde bağlantısı çıkmaz; burada saklanır.",
      },
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "slug", "shown_in", "is_hidden", "position"],
  search: ["slug", "title", "body"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  hasWriter: true,
  site: {},
  // Its address is in the row.
  sitePath: "/{slug}",
});
