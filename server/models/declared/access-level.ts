import { boolean, integer, pgTable, unique } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn } from "../columns.ts";
import { declareModel, READ_ONLY, TIMESTAMP_FIELDS } from "../declare.ts";

export const accessLevelTable = pgTable(
  "access_level",
  {
    ...baseColumns(),
    level: integer("level").notNull(),
    name: localizedColumn("name").notNull(),
    description: localizedColumn("description"),
    is_core: boolean("is_core").notNull().default(false),
    is_active: boolean("is_active").notNull().default(true),
  },
  (table) => [unique("access_level_level").on(table.level)],
);

export const accessLevel = declareModel({
  app: "accounts",
  name: "access_level",
  table: accessLevelTable,
  labels: { en: "Access level", tr: "Erişim düzeyi" },
  pluralLabels: { en: "Access levels", tr: "Erişim düzeyleri" },
  help: {
    en: "What people may do: the higher, the more.",
    tr: "Kişilerin yapabilecekleri: düzey arttıkça yetki artar.",
  },
  fields: {
    level: { kind: "integer", labels: { en: "Level", tr: "Düzey" } },
    name: { kind: "localized_text", labels: { en: "Name", tr: "Ad" }, maxLength: 100 },
    description: { kind: "localized_text", labels: { en: "Description", tr: "Açıklama" }, maxLength: 300 },
    is_core: { kind: "boolean", labels: { en: "Core", tr: "Temel" }, readOnly: true },
    is_active: { kind: "boolean", labels: { en: "Active", tr: "Etkin" } },
    ...TIMESTAMP_FIELDS,
  },
  title: "name",
  list: ["level", "name", "description", "is_core", "is_active"],
  defaultSort: [{ field: "level", direction: "asc" }],
  access: READ_ONLY,
});
