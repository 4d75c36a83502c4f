import { index, pgTable } from "drizzle-orm/pg-core";
import { baseColumns, itemColumns, localizedColumn, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { ITEM_FIELDS } from "../item-fields.ts";

export const languageTable = pgTable(
  "cv_language",
  {
    ...baseColumns(),
    language: localizedColumn("language"),
    fluency: localizedColumn("fluency"),
    ...itemColumns(),
    search: searchColumn({ localized: ["language"] }),
  },
  (table) => [
    index("cv_language_position").on(table.position, table.id),
    searchIndex("cv_language", table.search),
  ],
);

export const language = declareModel({
  app: "cv",
  name: "language",
  order: 90,
  table: languageTable,
  labels: { en: "Language", tr: "Dil" },
  pluralLabels: { en: "Languages", tr: "Diller" },
  help: { en: "Languages that you speak, and how well.", tr: "Konuştuğunuz diller ve düzeyleri." },
  fields: {
    language: {
      kind: "localized_text",
      labels: { en: "Language", tr: "Dil" },
      maxLength: 100,
      required: true,
    },
    fluency: {
      kind: "localized_text",
      labels: { en: "Fluency", tr: "Düzey" },
      help: { en: "For example: native, C1.", tr: "Örneğin: ana dil, C1." },
      maxLength: 200,
    },
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "language",
  list: ["language", "fluency", "position"],
  search: ["language"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: { section: { order: 900, line: ["fluency"], person: "knowsLanguage" } },
  resume: {
    at: "languages",
    keys: { language: "language", fluency: "fluency" },
    names: ["language"],
  },
});
