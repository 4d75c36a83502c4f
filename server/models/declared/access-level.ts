import { boolean, integer, pgTable, unique } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn } from "../columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";

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
  order: 710,
  table: accessLevelTable,
  labels: { en: "Access level", tr: "Erişim düzeyi" },
  pluralLabels: { en: "Access levels", tr: "Erişim düzeyleri" },
  help: {
    en: "What people may do: the higher, the more.",
    tr: "Kişilerin yapabilecekleri: düzey arttıkça yetki artar.",
  },
  fields: {
    level: {
      kind: "integer",
      labels: { en: "Level", tr: "Düzey" },
      help: {
        en: "0 guest, 1 to 9 user, 10 and above staff, 999 superuser.",
        tr: "0 misafir, 1–9 kullanıcı, 10 ve üstü yönetici, 999 süper kullanıcı.",
      },
    },
    name: { kind: "localized_text", labels: { en: "Name", tr: "Ad" }, maxLength: 100 },
    description: { kind: "localized_text", labels: { en: "Description", tr: "Açıklama" }, maxLength: 300 },
    is_core: {
      kind: "boolean",
      labels: { en: "Core", tr: "Temel" },
      help: {
        en: "Part of the site: it stays, with its number.",
        tr: "Sitenin parçasıdır: silinmez, numarası değişmez.",
      },
      readOnly: true,
    },
    is_active: {
      kind: "boolean",
      labels: { en: "Active", tr: "Etkin" },
      help: { en: "Off: nobody is given it any more.", tr: "Kapalıysa artık kimseye verilmez." },
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "name",
  list: ["level", "name", "description", "is_core", "is_active"],
  defaultSort: [{ field: "level", direction: "asc" }],
  access: { view: 10, create: 999, update: 999, delete: 999 },
  stepUp: { create: true, update: true, delete: true },
});
