import { index, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, itemColumns, localizedColumn, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { ITEM_FIELDS } from "../item-fields.ts";
import { storedFileTable } from "./stored-file.ts";

export const certificateTable = pgTable(
  "cv_certificate",
  {
    ...baseColumns(),
    label: localizedColumn("label").notNull(),
    issuer: localizedColumn("issuer"),
    issued_on: text("issued_on"),
    file: text("file").references(() => storedFileTable.key),
    url: text("url"),
    ...itemColumns(),
    search: searchColumn({ localized: ["label", "issuer"] }),
  },
  (table) => [
    index("cv_certificate_position").on(table.position, table.id),
    searchIndex("cv_certificate", table.search),
  ],
);

export const certificate = declareModel({
  app: "cv",
  name: "certificate",
  order: 50,
  table: certificateTable,
  labels: { en: "Certificate", tr: "Sertifika" },
  pluralLabels: { en: "Certificates", tr: "Sertifikalar" },
  help: {
    en: "Certificates on the CV page, each with its picture or PDF.",
    tr: "CV sayfasındaki sertifikalar; her biri resmi veya PDF dosyasıyla.",
  },
  fields: {
    label: { kind: "localized_text", labels: { en: "Label", tr: "Başlık" }, maxLength: 200 },
    issuer: { kind: "localized_text", labels: { en: "Issuer", tr: "Veren kurum" }, maxLength: 200 },
    issued_on: {
      kind: "partial_date",
      labels: { en: "Date", tr: "Tarih" },
      help: {
        en: "As exact as you know it: 2024, 2024-05 or 2024-05-31.",
        tr: "Bildiğiniz kadarıyla: 2024, 2024-05 veya 2024-05-31.",
      },
    },
    file: {
      kind: "file",
      labels: { en: "File", tr: "Dosya" },
      help: {
        en: "PNG, JPEG, WebP, SVG or PDF, up to 20 MB.",
        tr: "PNG, JPEG, WebP, SVG veya PDF, en çok 20 MB.",
      },
      accept: ["image/png", "image/jpeg", "image/webp", "image/svg+xml", "application/pdf"],
    },
    url: {
      kind: "url",
      labels: { en: "Address", tr: "Bağlantı" },
      help: { en: "Where the issuer confirms it.", tr: "Veren kurumun doğrulama sayfası." },
    },
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "label",
  list: ["label", "issuer", "issued_on", "file", "position"],
  search: ["label", "issuer"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: { section: { order: 400 } },
  resume: {
    at: "certificates",
    keys: { label: "name", issuer: "issuer", issued_on: "date", url: "url", file: "file" },
    names: ["label", "issuer"],
  },
});
