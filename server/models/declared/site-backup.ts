import { bigint, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { baseColumns } from "../columns.ts";
import { declareModel, READ_ONLY, TIMESTAMP_FIELDS } from "../declare.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/** `backup`: one by the clock. `copy`: the newest one went to another place. `rehearsal`: it was restored to try it. */
export const BACKUP_RUN_KINDS = ["backup", "copy", "rehearsal"] as const;

/** Backups that the server makes by itself, and rehearsals of restoring one. */
export const siteBackupTable = pgTable(
  "site_backup",
  {
    ...baseColumns(),
    kind: text("kind", { enum: BACKUP_RUN_KINDS }).notNull(),
    status: text("status", { enum: ["running", "done", "failed"] }).notNull(),
    began_at: moment("began_at").notNull(),
    ended_at: moment("ended_at"),
    file: text("file"),
    byte_size: bigint("byte_size", { mode: "number" }),
    row_count: integer("row_count"),
    file_count: integer("file_count"),
    /** Where a copy went, without passwords; null: nowhere else. */
    remote: text("remote"),
    message: text("message"),
    /** The owner got a mail about it. */
    mailed_at: moment("mailed_at"),
    /** Retention took the file away. */
    removed_at: moment("removed_at"),
  },
  (table) => [index("site_backup_began").on(table.began_at, table.id)],
);

export const siteBackup = declareModel({
  app: "site",
  name: "backup",
  order: 490,
  table: siteBackupTable,
  labels: { en: "Backup", tr: "Yedek" },
  pluralLabels: { en: "Backups", tr: "Yedekler" },
  help: {
    en: "Backups that the site makes by itself, copies of them to another place, and rehearsals in which the newest one is restored to see that it can be.",
    tr: "Sitenin kendiliğinden aldığı yedekler, bunların başka bir yere kopyaları ve en yenisinin geri yüklenebildiğini görmek için yapılan denemeler.",
  },
  fields: {
    kind: {
      kind: "choice",
      labels: { en: "What", tr: "Ne" },
      choices: [
        { value: "backup", labels: { en: "Backup", tr: "Yedek" } },
        { value: "copy", labels: { en: "Copy to another place", tr: "Başka bir yere kopya" } },
        { value: "rehearsal", labels: { en: "Rehearsed restore", tr: "Geri yükleme denemesi" } },
      ],
    },
    status: {
      kind: "choice",
      labels: { en: "State", tr: "Durum" },
      choices: [
        { value: "running", labels: { en: "Under way", tr: "Sürüyor" } },
        { value: "done", labels: { en: "Done", tr: "Tamamlandı" } },
        { value: "failed", labels: { en: "Failed", tr: "Başarısız" } },
      ],
    },
    began_at: { kind: "date_time", labels: { en: "Began", tr: "Başlangıç" } },
    ended_at: { kind: "date_time", labels: { en: "Ended", tr: "Bitiş" } },
    file: { kind: "text", labels: { en: "File", tr: "Dosya" } },
    byte_size: { kind: "big_integer", labels: { en: "Size in bytes", tr: "Bayt cinsinden boyut" } },
    row_count: { kind: "integer", labels: { en: "Rows", tr: "Satır" } },
    file_count: { kind: "integer", labels: { en: "Files", tr: "Dosya sayısı" } },
    remote: {
      kind: "text",
      labels: { en: "Copied to", tr: "Kopyalandığı yer" },
      help: {
        en: "Copies alone have it: backups themselves are on this machine.",
        tr: "Yalnızca kopyalarda dolu: yedeklerin kendisi bu makinede.",
      },
    },
    message: { kind: "long_text", labels: { en: "Message", tr: "İleti" } },
    mailed_at: { kind: "date_time", labels: { en: "Owner told", tr: "Sahibine bildirilme" } },
    removed_at: {
      kind: "date_time",
      labels: { en: "Removed", tr: "Silinme" },
      help: {
        en: "Kept are the newest of 7 days, 4 weeks and 6 months.",
        tr: "7 günün, 4 haftanın ve 6 ayın en yenileri saklanır.",
      },
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "file",
  list: ["kind", "status", "began_at", "byte_size", "message"],
  defaultSort: [{ field: "began_at", direction: "desc" }],
  access: READ_ONLY,
});
