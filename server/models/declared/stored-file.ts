import { boolean, index, integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { searchColumn, searchIndex } from "../columns.ts";
import { declareModel } from "../declare.ts";
import { userTable } from "./user.ts";

/** Types that are stored at all, with the ending of their keys. What they may be used for, each field says. */
export const FILE_ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/svg+xml": "svg",
  "application/pdf": "pdf",
};

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/** Files that were uploaded or shipped. `key` is the content's hash with an ending; equal content is one row. */
export const storedFileTable = pgTable(
  "stored_file",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    key: text("key").notNull(),
    name: text("name").notNull(),
    media_type: text("media_type").notNull(),
    byte_size: integer("byte_size").notNull(),
    uploaded_by_id: integer("uploaded_by_id").references(() => userTable.id, { onDelete: "set null" }),
    created_at: moment("created_at").notNull().defaultNow(),
    /** Nothing that a camera or a program wrote beside the picture is in it. */
    is_stripped: boolean("is_stripped").notNull().default(false),
    /** When the nightly pass last read its content, and what it found wrong. */
    checked_at: moment("checked_at"),
    fault: text("fault", { enum: ["missing", "damaged"] }),
    search: searchColumn({ plain: ["name"] }),
  },
  (table) => [
    unique("stored_file_key").on(table.key),
    index("stored_file_uploaded_by").on(table.uploaded_by_id),
    index("stored_file_checked").on(table.checked_at.asc().nullsFirst(), table.id),
    searchIndex("stored_file", table.search),
  ],
);

export const storedFile = declareModel({
  app: "files",
  name: "stored_file",
  order: 500,
  table: storedFileTable,
  labels: { en: "File", tr: "Dosya" },
  pluralLabels: { en: "Files", tr: "Dosyalar" },
  help: {
    en: "Pictures and documents that were uploaded, and where each is used. Profile pictures belong to their people and aren't among them.",
    tr: "Yüklenen resimler ve belgeler, her birinin kullanıldığı yerlerle. Profil resimleri sahiplerine aittir ve burada yer almaz.",
  },
  fields: {
    file: {
      kind: "file",
      column: "key",
      labels: { en: "File", tr: "Dosya" },
      accept: Object.keys(FILE_ENDINGS),
      readOnly: true,
    },
    name: { kind: "text", labels: { en: "Name", tr: "Ad" }, readOnly: true },
    media_type: {
      kind: "choice",
      labels: { en: "Type", tr: "Tür" },
      readOnly: true,
      choices: [
        { value: "image/jpeg", labels: { en: "JPEG picture", tr: "JPEG resmi" } },
        { value: "image/png", labels: { en: "PNG picture", tr: "PNG resmi" } },
        { value: "image/webp", labels: { en: "WebP picture", tr: "WebP resmi" } },
        { value: "image/avif", labels: { en: "AVIF picture", tr: "AVIF resmi" } },
        { value: "image/svg+xml", labels: { en: "SVG drawing", tr: "SVG çizimi" } },
        { value: "application/pdf", labels: { en: "PDF document", tr: "PDF belgesi" } },
      ],
    },
    byte_size: { kind: "integer", labels: { en: "Size", tr: "Boyut" }, readOnly: true },
    used_in: {
      kind: "file_uses",
      labels: { en: "Used in", tr: "Kullanıldığı yerler" },
      readOnly: true,
      choices: [
        { value: "used", labels: { en: "used", tr: "kullanılıyor" } },
        { value: "unused", labels: { en: "unused", tr: "kullanılmıyor" } },
        {
          value: "new",
          labels: { en: "uploaded today, not used yet", tr: "bugün yüklendi, henüz kullanılmıyor" },
        },
      ],
    },
    fault: {
      kind: "choice",
      labels: { en: "Fault", tr: "Sorun" },
      help: {
        en: "What the nightly check found. Replace the file, by itself where you still have it, or restore it from a backup.",
        tr: "Gece denetiminin bulduğu sorun. Dosyayı değiştirin (elinizdeyse kendisiyle) veya yedekten geri yükleyin.",
      },
      readOnly: true,
      choices: [
        { value: "missing", labels: { en: "not in the storage", tr: "depoda yok" } },
        { value: "damaged", labels: { en: "damaged", tr: "bozuk" } },
      ],
    },
    checked_at: { kind: "date_time", labels: { en: "Last checked", tr: "Son denetim" }, readOnly: true },
    uploaded_by: {
      kind: "relation",
      column: "uploaded_by_id",
      related: "accounts.user",
      labels: { en: "Uploaded by", tr: "Yükleyen" },
      help: {
        en: "Empty: it came with Foyer, or the account is gone.",
        tr: "Boşsa Foyer ile geldi veya hesap silinmiştir.",
      },
      readOnly: true,
      author: true,
    },
    created_at: { kind: "date_time", labels: { en: "Uploaded", tr: "Yüklenme" }, readOnly: true },
    key: { kind: "text", labels: { en: "Stored as", tr: "Saklanan ad" }, readOnly: true },
  },
  title: "name",
  list: ["file", "name", "byte_size", "used_in", "created_at"],
  search: ["name"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  hasWriter: true,
  // Files come by uploads for a field.
  access: { view: 10, create: null, update: null, delete: 999 },
});
