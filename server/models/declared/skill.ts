import { index, pgTable, text } from "drizzle-orm/pg-core";
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
import { storedFileTable } from "./stored-file.ts";

export const skillTable = pgTable(
  "cv_skill",
  {
    ...baseColumns(),
    label: localizedColumn("label").notNull(),
    level: localizedColumn("level"),
    keywords: localizedListColumn("keywords"),
    icon: text("icon").references(() => storedFileTable.key),
    ...itemColumns(),
    search: searchColumn({ localized: ["label"] }),
  },
  (table) => [index("cv_skill_position").on(table.position, table.id), searchIndex("cv_skill", table.search)],
);

export const skill = declareModel({
  app: "cv",
  name: "skill",
  order: 40,
  table: skillTable,
  labels: { en: "Tool", tr: "Araç" },
  pluralLabels: { en: "Tools", tr: "Araçlar" },
  help: {
    en: "Tools you work with confidently, each with an icon.",
    tr: "Güvenle kullandığınız araçlar; her biri simgesiyle.",
  },
  fields: {
    label: { kind: "localized_text", labels: { en: "Label", tr: "Ad" }, maxLength: 100 },
    level: {
      kind: "localized_text",
      labels: { en: "Level", tr: "Düzey" },
      help: { en: "For example: expert.", tr: "Örneğin: uzman." },
      maxLength: 200,
    },
    keywords: CV_FIELDS.keywords,
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
    keys: { label: "name", level: "level", keywords: "keywords", icon: "icon" },
    names: ["label"],
  },
});
