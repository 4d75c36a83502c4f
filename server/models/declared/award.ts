import { index, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, itemColumns, localizedColumn, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { CV_FIELDS, ITEM_FIELDS } from "../item-fields.ts";

export const awardTable = pgTable(
  "cv_award",
  {
    ...baseColumns(),
    title: localizedColumn("title"),
    awarder: localizedColumn("awarder"),
    awarded_on: text("awarded_on"),
    description: localizedColumn("description"),
    ...itemColumns(),
    search: searchColumn({ localized: ["title", "awarder"] }),
  },
  (table) => [index("cv_award_position").on(table.position, table.id), searchIndex("cv_award", table.search)],
);

export const award = declareModel({
  app: "cv",
  name: "award",
  order: 80,
  table: awardTable,
  labels: { en: "Award", tr: "Ödül" },
  pluralLabels: { en: "Awards", tr: "Ödüller" },
  help: { en: "Prizes and honours, with who gave them.", tr: "Ödülleriniz ve onları verenler." },
  fields: {
    title: { kind: "localized_text", labels: { en: "Title", tr: "Başlık" }, maxLength: 300, required: true },
    awarder: { kind: "localized_text", labels: { en: "Given by", tr: "Veren" }, maxLength: 300 },
    awarded_on: {
      kind: "partial_date",
      labels: { en: "Date", tr: "Tarih" },
      help: { en: "2019, 2019-03 or 2019-03-01.", tr: "2019, 2019-03 veya 2019-03-01." },
    },
    description: CV_FIELDS.description,
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "awarder", "awarded_on", "position"],
  search: ["title", "awarder"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: { section: { order: 700, line: ["awarder"], person: "award" } },
  resume: {
    at: "awards",
    keys: { title: "title", awarder: "awarder", awarded_on: "date", description: "summary" },
    names: ["title", "awarder"],
  },
});
