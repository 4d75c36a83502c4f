import { sql } from "drizzle-orm";
import { boolean, integer, numeric, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { baseColumns } from "../columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";

/** What stops mails by itself, and when staff are alarmed. Limits are percent. One row, which the migration made. */
export const mailRulesTable = pgTable(
  "mail_rules",
  {
    ...baseColumns(),
    note: text("note"),
    days: integer("days").notNull().default(7),
    volume_min: integer("volume_min").notNull().default(100),
    bounce_limit: numeric("bounce_limit", { precision: 5, scale: 2 }).notNull().default("5"),
    bounce_count_min: integer("bounce_count_min").notNull().default(5),
    complaint_limit: numeric("complaint_limit", { precision: 5, scale: 2 }).notNull().default("0.1"),
    complaint_count_min: integer("complaint_count_min").notNull().default(3),
    alarm_holds: boolean("alarm_holds").notNull().default(true),
    bounce_stops: boolean("bounce_stops").notNull().default(true),
    complaint_stops: boolean("complaint_stops").notNull().default(true),
    transient_count_min: integer("transient_count_min").notNull().default(3),
    transient_days: integer("transient_days").notNull().default(30),
  },
  // The database itself refuses a second row.
  () => [uniqueIndex("mail_rules_singleton").on(sql`(true)`)],
);

const PERCENT = {
  kind: "decimal",
  digits: { total: 5, scale: 2 },
  range: { min: 0.01, max: 100 },
  required: true,
} as const;
const COUNT = { kind: "integer", range: { min: 1, max: 100_000 }, required: true } as const;

export const mailRules = declareModel({
  app: "mail",
  name: "rules",
  order: 460,
  table: mailRulesTable,
  labels: { en: "Mail rules", tr: "E-posta kuralları" },
  pluralLabels: { en: "Mail rules", tr: "E-posta kuralları" },
  help: {
    en: "When returned mail and complaints alarm staff, and which of them stop mail to an address. A change holds from the next report on.",
    tr: "Geri dönen e-postaların ve şikâyetlerin yöneticileri ne zaman uyaracağı ve hangilerinin bir adrese e-postayı durduracağı. Değişiklik, bir sonraki bildirimden itibaren geçerlidir.",
  },
  fields: {
    days: {
      kind: "integer",
      range: { min: 1, max: 90 },
      required: true,
      labels: { en: "Days looked at", tr: "Bakılan gün sayısı" },
      help: {
        en: "Alarms count the mails of so many days (UTC), today included.",
        tr: "Uyarılar, bugün dahil bu kadar günün (UTC) e-postalarını sayar.",
      },
    },
    volume_min: {
      ...COUNT,
      labels: { en: "Mails that a rate needs", tr: "Oran için gereken e-posta sayısı" },
      help: {
        en: "With fewer mails in these days a rate says nothing, and numbers alone count.",
        tr: "Bu günlerde e-posta daha azsa oran bir şey söylemez; yalnızca sayılara bakılır.",
      },
    },
    bounce_limit: {
      ...PERCENT,
      labels: { en: "Limit of returned mail (%)", tr: "Geri dönüş sınırı (%)" },
      help: {
        en: "Alarm when surely more of the mails came back for good: the lower end of the 95% interval is above it.",
        tr: "Kalıcı geri dönüşlerin oranı kesin olarak bunun üstündeyse uyarı verilir: %95 aralığının alt ucu sınırı aşar.",
      },
    },
    bounce_count_min: {
      ...COUNT,
      labels: {
        en: "Returned mails that alarm by themselves",
        tr: "Tek başına uyarı veren geri dönüş sayısı",
      },
      help: {
        en: "With too few mails for a rate, so many that came back for good alarm.",
        tr: "E-posta sayısı oran için azsa bu kadar kalıcı geri dönüş uyarı verir.",
      },
    },
    complaint_limit: {
      ...PERCENT,
      labels: { en: "Limit of complaints (%)", tr: "Şikâyet sınırı (%)" },
      help: {
        en: "Alarm when surely more of the mails that arrived were complained of.",
        tr: "Ulaşan e-postalarda şikâyet oranı kesin olarak bunun üstündeyse uyarı verilir.",
      },
    },
    complaint_count_min: {
      ...COUNT,
      labels: { en: "Complaints that an alarm needs", tr: "Uyarı için gereken şikâyet sayısı" },
      help: {
        en: "Fewer never alarm. With too few mails for a rate, so many alarm by themselves.",
        tr: "Daha azı hiç uyarı vermez. E-posta sayısı oran için azsa bu kadar şikâyet tek başına uyarı verir.",
      },
    },
    alarm_holds: {
      kind: "boolean",
      labels: { en: "An alarm holds optional mail", tr: "Uyarı zorunlu olmayan e-postaları bekletir" },
      help: {
        en: "Receipts and notices wait until somebody releases them. Codes and security notices always go.",
        tr: "Alındı iletileri ve bildirimler, biri bekletmeyi kaldırana kadar bekler. Kodlar ve güvenlik bildirimleri her zaman gider.",
      },
    },
    bounce_stops: {
      kind: "boolean",
      labels: {
        en: "Permanent returns stop mail by themselves",
        tr: "Kalıcı geri dönüş e-postayı kendiliğinden durdurur",
      },
      help: {
        en: "Off: staff decide about each address.",
        tr: "Kapalıysa her adres için yönetici karar verir.",
      },
    },
    complaint_stops: {
      kind: "boolean",
      labels: {
        en: "Complaints stop optional mail by themselves",
        tr: "Şikâyet zorunlu olmayan e-postaları kendiliğinden durdurur",
      },
      help: {
        en: "Off: staff decide about each address.",
        tr: "Kapalıysa her adres için yönetici karar verir.",
      },
    },
    transient_count_min: {
      kind: "integer",
      range: { min: 1, max: 100 },
      required: true,
      labels: {
        en: "Temporary returns that stop optional mail",
        tr: "Zorunlu olmayan e-postaları durduran geçici geri dönüş sayısı",
      },
      help: {
        en: "So many of one address, none that arrived between them.",
        tr: "Bir adresten, arada hiçbir e-posta ulaşmadan bu kadar geri dönüş.",
      },
    },
    transient_days: {
      kind: "integer",
      range: { min: 1, max: 365 },
      required: true,
      labels: { en: "… within days", tr: "… şu kadar gün içinde" },
      help: { en: "Optional mail then stops for as long.", tr: "E-posta da aynı süre boyunca durur." },
    },
    note: {
      kind: "long_text",
      labels: { en: "Note", tr: "Not" },
      help: {
        en: "Why the rules are as they are, for whoever reads this later.",
        tr: "Kuralların neden böyle olduğu; bunu sonra okuyacaklar için.",
      },
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "note",
  list: ["bounce_limit", "complaint_limit", "days", "alarm_holds", "updated_at"],
  singleton: true,
  defaultSort: [],
  access: { view: 10, create: null, update: 10, delete: null },
});
