import { index, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, itemColumns, localizedColumn, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { CV_FIELDS, ITEM_FIELDS } from "../item-fields.ts";

export const publicationTable = pgTable(
  "cv_publication",
  {
    ...baseColumns(),
    name: localizedColumn("name"),
    publisher: localizedColumn("publisher"),
    released_on: text("released_on"),
    url: text("url"),
    description: localizedColumn("description"),
    ...itemColumns(),
    search: searchColumn({ localized: ["name", "publisher"] }),
  },
  (table) => [
    index("cv_publication_position").on(table.position, table.id),
    searchIndex("cv_publication", table.search),
  ],
);

export const publication = declareModel({
  app: "cv",
  name: "publication",
  order: 85,
  table: publicationTable,
  labels: { en: "Publication", tr: "Yayın" },
  pluralLabels: { en: "Publications", tr: "Yayınlar" },
  help: {
    en: "Papers, articles and books that you wrote.",
    tr: "Yazdığınız bildiriler, makaleler ve kitaplar.",
  },
  fields: {
    name: { kind: "localized_text", labels: { en: "Title", tr: "Başlık" }, maxLength: 500, required: true },
    publisher: { kind: "localized_text", labels: { en: "Publisher", tr: "Yayıncı" }, maxLength: 300 },
    released_on: {
      kind: "partial_date",
      labels: { en: "Date", tr: "Tarih" },
      help: { en: "2019, 2019-03 or 2019-03-01.", tr: "2019, 2019-03 veya 2019-03-01." },
    },
    url: { kind: "url", labels: { en: "Address", tr: "Bağlantı" } },
    description: CV_FIELDS.description,
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "name",
  list: ["name", "publisher", "released_on", "position"],
  search: ["name", "publisher"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: { section: { order: 800, line: ["publisher"] } },
  resume: {
    at: "publications",
    keys: {
      name: "name",
      publisher: "publisher",
      released_on: "releaseDate",
      url: "url",
      description: "summary",
    },
    olderKeys: { url: "website" },
    names: ["name", "publisher"],
  },
});
