import { integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { declareModel, READ_ONLY } from "../declare.ts";

/** Files that were uploaded or shipped. `key` is the content's hash with an ending; equal content is one row. */
export const storedFileTable = pgTable(
  "stored_file",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    key: text("key").notNull(),
    name: text("name").notNull(),
    media_type: text("media_type").notNull(),
    byte_size: integer("byte_size").notNull(),
    created_at: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
  },
  (table) => [unique("stored_file_key").on(table.key)],
);

export const storedFile = declareModel({
  app: "files",
  name: "stored_file",
  order: 500,
  table: storedFileTable,
  labels: { en: "File", tr: "Dosya" },
  pluralLabels: { en: "Files", tr: "Dosyalar" },
  help: { en: "Pictures and documents that were uploaded.", tr: "Yüklenen resimler ve belgeler." },
  fields: {
    name: { kind: "text", labels: { en: "Name", tr: "Ad" } },
    key: { kind: "text", labels: { en: "Key", tr: "Anahtar" } },
    media_type: { kind: "text", labels: { en: "Type", tr: "Tür" } },
    byte_size: { kind: "integer", labels: { en: "Size in bytes", tr: "Bayt cinsinden boyut" } },
    created_at: { kind: "date_time", labels: { en: "Uploaded", tr: "Yüklenme" }, readOnly: true },
  },
  title: "name",
  list: ["name", "media_type", "byte_size", "created_at"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: READ_ONLY,
});
