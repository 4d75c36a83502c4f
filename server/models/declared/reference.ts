import { index, pgTable } from "drizzle-orm/pg-core";
import { baseColumns, itemColumns, localizedColumn, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { ITEM_FIELDS } from "../item-fields.ts";

export const referenceTable = pgTable(
  "cv_reference",
  {
    ...baseColumns(),
    name: localizedColumn("name"),
    reference: localizedColumn("reference"),
    ...itemColumns(),
    search: searchColumn({ localized: ["name", "reference"] }),
  },
  (table) => [
    index("cv_reference_position").on(table.position, table.id),
    searchIndex("cv_reference", table.search),
  ],
);

export const reference = declareModel({
  app: "cv",
  name: "reference",
  order: 97,
  table: referenceTable,
  labels: { en: "Reference", tr: "Referans" },
  pluralLabels: { en: "References", tr: "Referanslar" },
  help: {
    en: "What others say of working with you. Ask them first.",
    tr: "Birlikte çalıştığınız kişilerin sözleri. Önce izin isteyin.",
  },
  fields: {
    name: {
      kind: "localized_text",
      labels: { en: "Name", tr: "Ad" },
      help: { en: "Who says it.", tr: "Sözün sahibi." },
      maxLength: 300,
      required: true,
    },
    reference: { kind: "localized_long_text", labels: { en: "Reference", tr: "Referans" }, maxLength: 5000 },
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "name",
  list: ["name", "position"],
  search: ["name", "reference"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: { section: { order: 1100 } },
  resume: {
    at: "references",
    keys: { name: "name", reference: "reference" },
    names: ["name"],
  },
});
