import { index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { baseColumns } from "../columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";
import { sitePageTable } from "./site-page.ts";

/** Old addresses of pages. Each names its page by number: however often that moves, the way to it is one step. */
export const siteRedirectTable = pgTable(
  "site_redirect",
  {
    ...baseColumns(),
    slug: text("slug").notNull(),
    page_id: integer("page_id")
      .notNull()
      .references(() => sitePageTable.id, { onDelete: "cascade" }),
  },
  (table) => [unique("site_redirect_slug").on(table.slug), index("site_redirect_page").on(table.page_id)],
);

export const siteRedirect = declareModel({
  app: "site",
  name: "redirect",
  order: 220,
  table: siteRedirectTable,
  labels: { en: "Old address", tr: "Eski adres" },
  pluralLabels: { en: "Old addresses", tr: "Eski adresler" },
  help: {
    en: "Addresses that pages had before. They lead to where the page is now, until you delete them or another page takes them.",
    tr: "Sayfaların önceki adresleri. Silinene veya başka bir sayfa alana kadar sayfanın yeni yerine yönlendirir.",
  },
  fields: {
    slug: { kind: "slug", labels: { en: "Address", tr: "Adres" }, readOnly: true },
    page: {
      kind: "relation",
      column: "page_id",
      related: "site.page",
      labels: { en: "Leads to", tr: "Yönlendirdiği sayfa" },
      readOnly: true,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "slug",
  list: ["slug", "page", "created_at"],
  defaultSort: [{ field: "slug", direction: "asc" }],
  // Made when a page moves.
  access: { view: 10, create: null, update: null, delete: 10 },
});
