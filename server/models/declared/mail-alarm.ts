import { sql } from "drizzle-orm";
import { boolean, index, integer, numeric, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { HOLD_KINDS } from "#contract/mail/health.ts";
import { baseColumns } from "../columns.ts";
import { declareModel, READ_ONLY, TIMESTAMP_FIELDS } from "../declare.ts";
import { userTable } from "./user.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/** Too much mail came back, or was complained of, as it stood when the alarm began; or the site was restored. Rates and limits are percent. */
export const mailAlarmTable = pgTable(
  "mail_alarm",
  {
    ...baseColumns(),
    kind: text("kind", { enum: HOLD_KINDS }).notNull(),
    began_at: moment("began_at").notNull(),
    /** `count` of `total` mails of `days` days. */
    count: integer("count").notNull(),
    total: integer("total").notNull(),
    days: integer("days").notNull(),
    /** Null: of too few mails. */
    rate: numeric("rate", { precision: 5, scale: 2 }),
    /** Null: the count alone was too much. */
    limit: numeric("limit", { precision: 5, scale: 2 }),
    holds: boolean("holds").notNull(),
    mailed_at: moment("mailed_at"),
    released_at: moment("released_at"),
    released_by_id: integer("released_by_id").references(() => userTable.id, { onDelete: "set null" }),
  },
  (table) => [
    // Two processes that look at the same time make one.
    uniqueIndex("mail_alarm_open").on(table.kind).where(sql`${table.released_at} IS NULL`),
    index("mail_alarm_released_by").on(table.released_by_id),
  ],
);

export const mailAlarm = declareModel({
  app: "mail",
  name: "alarm",
  order: 450,
  table: mailAlarmTable,
  labels: { en: "Mail alarm", tr: "E-posta uyarısı" },
  pluralLabels: { en: "Mail alarms", tr: "E-posta uyarıları" },
  help: {
    en: "Times at which too much mail came back or was complained of, and who looked into it.",
    tr: "Çok fazla e-postanın geri döndüğü veya şikâyet aldığı anlar ve bununla ilgilenenler.",
  },
  fields: {
    kind: {
      kind: "choice",
      labels: { en: "About", tr: "Konu" },
      choices: [
        { value: "bounces", labels: { en: "Returned mail", tr: "Geri dönen e-postalar" } },
        { value: "complaints", labels: { en: "Complaints", tr: "Şikâyetler" } },
        { value: "restore", labels: { en: "Restored from a backup", tr: "Yedekten geri yükleme" } },
      ],
    },
    began_at: { kind: "date_time", labels: { en: "Began", tr: "Başlangıç" } },
    count: {
      kind: "integer",
      labels: { en: "Counted", tr: "Sayılan" },
      help: {
        en: "Returns for good, or complaints, since the last release.",
        tr: "Son kaldırmadan beri kalıcı geri dönüşler veya şikâyetler.",
      },
    },
    total: {
      kind: "integer",
      labels: { en: "Of mails", tr: "Toplam e-posta" },
      help: {
        en: "Mails of these days: sent, or, with complaints, arrived.",
        tr: "Bu günlerin e-postaları: gönderilenler, şikâyetlerde ulaşanlar.",
      },
    },
    days: { kind: "integer", labels: { en: "Days", tr: "Gün" } },
    rate: {
      kind: "decimal",
      digits: { total: 5, scale: 2 },
      labels: { en: "Rate (%)", tr: "Oran (%)" },
      help: { en: "Empty: of too few mails.", tr: "Boşsa e-posta sayısı oran için azdı." },
    },
    limit: {
      kind: "decimal",
      digits: { total: 5, scale: 2 },
      labels: { en: "Limit (%)", tr: "Sınır (%)" },
      help: { en: "Empty: the number alone was too much.", tr: "Boşsa sayının kendisi fazlaydı." },
    },
    holds: {
      kind: "boolean",
      labels: { en: "Holds optional mail", tr: "Zorunlu olmayan e-postaları bekletir" },
    },
    mailed_at: {
      kind: "date_time",
      labels: { en: "Staff told", tr: "Yöneticilere bildirilme" },
      help: {
        en: "There is at most one mail a day. Empty: none yet, or nobody can get one.",
        tr: "Günde en fazla bir e-posta gönderilir. Boşsa henüz gönderilmedi veya alabilecek kimse yok.",
      },
    },
    released_at: {
      kind: "date_time",
      labels: { en: "Released", tr: "Kaldırılma" },
      help: { en: "Empty: it still stands.", tr: "Boşsa uyarı sürüyor." },
    },
    released_by: {
      kind: "relation",
      column: "released_by_id",
      related: "accounts.user",
      labels: { en: "Released by", tr: "Kaldıran" },
      help: { en: "Empty: nobody, or the account is gone.", tr: "Boşsa kimse veya hesap silinmiş." },
      person: true,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "kind",
  list: ["kind", "began_at", "count", "total", "released_at"],
  defaultSort: [{ field: "began_at", direction: "desc" }],
  access: READ_ONLY,
});
