import { index, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, itemColumns, localizedColumn, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, ITEM_FIELDS, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { storedFileTable } from "./stored-file.ts";

export const confidenceTable = pgTable(
  "cv_confidence",
  {
    ...baseColumns(),
    label: localizedColumn("label").notNull(),
    icon: text("icon").references(() => storedFileTable.key),
    ...itemColumns(),
    search: searchColumn({ localized: ["label"] }),
  },
  (table) => [
    index("cv_confidence_position").on(table.position, table.id),
    searchIndex("cv_confidence", table.search),
  ],
);

export const confidence = declareModel({
  app: "cv",
  name: "confidence",
  order: 40,
  table: confidenceTable,
  labels: { en: "Tool", tr: "Araç" },
  pluralLabels: { en: "Tools", tr: "Araçlar" },
  help: {
    en: "Tools you work with confidently, each with an icon.",
    tr: "Güvenle kullandığınız araçlar; her biri simgesiyle.",
  },
  fields: {
    label: { kind: "localized_text", labels: { en: "Label", tr: "Ad" }, maxLength: 100 },
    icon: {
      kind: "image",
      labels: { en: "Icon", tr: "Simge" },
      help: { en: "SVG, PNG or WebP, square.", tr: "SVG, PNG veya WebP, kare." },
      accept: ["image/svg+xml", "image/png", "image/webp"],
    },
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "label",
  list: ["label", "icon", "position"],
  search: ["label"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: { section: { order: 100 } },
  resume: {
    at: "skills",
    keys: { label: "name", icon: "icon" },
    names: ["label"],
  },
});
