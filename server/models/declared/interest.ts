import { index, pgTable } from "drizzle-orm/pg-core";
import {
  baseColumns,
  itemColumns,
  localizedColumn,
  localizedListColumn,
  searchColumn,
  searchIndex,
} from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { CV_FIELDS, ITEM_FIELDS } from "../item-fields.ts";

export const interestTable = pgTable(
  "cv_interest",
  {
    ...baseColumns(),
    name: localizedColumn("name"),
    keywords: localizedListColumn("keywords"),
    ...itemColumns(),
    search: searchColumn({ localized: ["name"] }),
  },
  (table) => [
    index("cv_interest_position").on(table.position, table.id),
    searchIndex("cv_interest", table.search),
  ],
);

export const interest = declareModel({
  app: "cv",
  name: "interest",
  order: 95,
  table: interestTable,
  labels: { en: "Interest", tr: "İlgi alanı" },
  pluralLabels: { en: "Interests", tr: "İlgi alanları" },
  help: { en: "What you like to do besides work.", tr: "İş dışında yapmayı sevdikleriniz." },
  fields: {
    name: { kind: "localized_text", labels: { en: "Name", tr: "Ad" }, maxLength: 200, required: true },
    keywords: CV_FIELDS.keywords,
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "name",
  list: ["name", "position"],
  search: ["name"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: { section: { order: 1000, words: ["keywords"] } },
  resume: {
    at: "interests",
    keys: { name: "name", keywords: "keywords" },
    names: ["name"],
  },
});
