import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { ALERT_KINDS } from "#contract/alerts.ts";
import { baseColumns, localizedColumn } from "../columns.ts";
import { declareModel } from "../declare.ts";
import { userTable } from "./user.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });
const person = (name: string) => integer(name).references(() => userTable.id, { onDelete: "set null" });

/** What the owners of the site were alerted of. Names stand with the people alone; `ip_address` goes with either of them. */
export const auditAlertTable = pgTable(
  "audit_alert",
  {
    ...baseColumns(),
    kind: text("kind", { enum: ALERT_KINDS }).notNull(),
    user_id: person("user_id"),
    by_id: person("by_id"),
    about: localizedColumn("about"),
    count: integer("count").notNull().default(1),
    ip_address: text("ip_address"),
    /** How much it matters (`server/audit/store.ts`): what anybody can bring about hides nothing about staff. */
    weight: integer("weight").notNull().default(9),
    mailed_at: moment("mailed_at"),
    seen_at: moment("seen_at"),
    seen_by_id: person("seen_by_id"),
  },
  (table) => [
    index("audit_alert_user").on(table.user_id),
    index("audit_alert_by").on(table.by_id),
    index("audit_alert_seen_by").on(table.seen_by_id),
  ],
);

export const auditAlert = declareModel({
  app: "audit",
  name: "alert",
  order: 910,
  table: auditAlertTable,
  labels: { en: "Security alert", tr: "Güvenlik uyarısı" },
  pluralLabels: { en: "Security alerts", tr: "Güvenlik uyarıları" },
  help: {
    en: "What superusers were alerted of by mail and by the notice on top of the console. Alert settings say which kinds there are. They go after 90 days.",
    tr: "Süper kullanıcıların e-postayla ve konsolun üstündeki bildirimle uyarıldığı olaylar. Hangi türlerin olduğu uyarı ayarlarında yazar. 90 gün sonra silinirler.",
  },
  fields: {
    kind: {
      kind: "choice",
      labels: { en: "What", tr: "Olay" },
      choices: [
        { value: "token_reuse", labels: { en: "Session perhaps stolen", tr: "Oturum çalınmış olabilir" } },
        { value: "failed_log_ins", labels: { en: "Many failed log-ins", tr: "Çok sayıda başarısız giriş" } },
        { value: "new_staff", labels: { en: "New staff", tr: "Yeni yönetici" } },
        {
          value: "first_export",
          labels: { en: "Personal data exported", tr: "Kişisel veri dışa aktarıldı" },
        },
        {
          value: "factor_off",
          labels: { en: "Second factor removed", tr: "İkinci doğrulama kaldırıldı" },
        },
        { value: "keys_changed", labels: { en: "Signing keys changed", tr: "İmza anahtarları değişti" } },
        { value: "audit_broken", labels: { en: "Audit log changed", tr: "Denetim günlüğü değiştirilmiş" } },
      ],
    },
    created_at: { kind: "date_time", labels: { en: "When", tr: "Zaman" }, readOnly: true },
    user: {
      kind: "relation",
      column: "user_id",
      related: "accounts.user",
      labels: { en: "Person", tr: "Kişi" },
      help: {
        en: "Whose account it is about. Empty: no single one, or it was deleted.",
        tr: "Hangi hesapla ilgili olduğu. Boşsa tek bir hesap değil veya hesap silinmiş.",
      },
      person: true,
    },
    by: {
      kind: "relation",
      column: "by_id",
      related: "accounts.user",
      labels: { en: "By", tr: "Yapan" },
      help: {
        en: "Empty: nobody who was logged in, the command line, or a deleted account.",
        tr: "Boşsa giriş yapmış biri değil, komut satırı veya silinmiş bir hesap.",
      },
      person: true,
    },
    about: { kind: "localized_text", labels: { en: "About", tr: "Ayrıntı" } },
    count: {
      kind: "integer",
      labels: { en: "Number", tr: "Sayı" },
      help: { en: "Of failed log-ins, or of people.", tr: "Başarısız girişlerin veya kişilerin sayısı." },
    },
    ip_address: { kind: "text", labels: { en: "IP address", tr: "IP adresi" } },
    mailed_at: {
      kind: "date_time",
      labels: { en: "Mailed", tr: "E-posta gönderilme" },
      help: {
        en: "There is at most one mail an hour of each kind, apart for each level of staff. Empty: none yet, or no superuser can get one.",
        tr: "Her tür için, her yönetici düzeyi ayrı olmak üzere, saatte en fazla bir e-posta gönderilir. Boşsa henüz gönderilmedi veya alabilecek süper kullanıcı yok.",
      },
    },
    seen_at: {
      kind: "date_time",
      labels: { en: "Seen", tr: "Görülme" },
      help: { en: "Empty: the notice still shows it.", tr: "Boşsa bildirimde hâlâ gösteriliyor." },
    },
    seen_by: {
      kind: "relation",
      column: "seen_by_id",
      related: "accounts.user",
      labels: { en: "Seen by", tr: "Gören" },
      person: true,
    },
  },
  title: "kind",
  list: ["kind", "created_at", "user", "about", "seen_at"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: { view: 999, create: null, update: null, delete: null },
  stepUp: { export: true },
});
