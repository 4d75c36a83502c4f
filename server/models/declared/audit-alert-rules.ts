import { sql } from "drizzle-orm";
import { boolean, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { baseColumns } from "../columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";

const isOn = (name: string) => boolean(name).notNull().default(true);

/** Which alerts there are: a column for each kind that can be switched off. One row, which the migration made. */
export const auditAlertRulesTable = pgTable(
  "audit_alert_rules",
  {
    ...baseColumns(),
    note: text("note"),
    token_reuse: isOn("token_reuse"),
    failed_log_ins: isOn("failed_log_ins"),
    new_staff: isOn("new_staff"),
    first_export: isOn("first_export"),
    factor_off: isOn("factor_off"),
    /** Names of the signing keys of the latest start, in order, with blanks between them; null: before the first. */
    known_keys: text("known_keys"),
  },
  // The database itself refuses a second row.
  () => [uniqueIndex("audit_alert_rules_singleton").on(sql`(true)`)],
);

export const auditAlertRules = declareModel({
  app: "audit",
  name: "alert_rules",
  order: 920,
  table: auditAlertRulesTable,
  labels: { en: "Alert settings", tr: "Uyarı ayarları" },
  pluralLabels: { en: "Alert settings", tr: "Uyarı ayarları" },
  help: {
    en: "Of what superusers are alerted, by mail and on top of the console. Two alerts can't be switched off: other signing keys, and an audit log that somebody changed.",
    tr: "Süper kullanıcıların hangi olaylarda e-postayla ve konsolun üstünde uyarılacağı. İki uyarı kapatılamaz: imza anahtarlarının değişmesi ve denetim günlüğünün değiştirilmesi.",
  },
  fields: {
    token_reuse: {
      kind: "boolean",
      labels: { en: "Sessions that may be stolen", tr: "Çalınmış olabilecek oturumlar" },
      help: {
        en: "A token that renews a session was used a second time: somebody holds a copy. The session is ended in any case.",
        tr: "Oturumu yenileyen bir belirteç ikinci kez kullanıldı: birinde kopyası var. Oturum her durumda sonlandırılır.",
      },
    },
    failed_log_ins: {
      kind: "boolean",
      labels: { en: "Many failed log-ins", tr: "Çok sayıda başarısız giriş" },
      help: {
        en: "20 to one account within an hour, or 100 on the whole site within 10 minutes.",
        tr: "Bir saat içinde tek bir hesapta 20 veya 10 dakika içinde bütün sitede 100 başarısız giriş.",
      },
    },
    new_staff: {
      kind: "boolean",
      labels: { en: "New staff", tr: "Yeni yöneticiler" },
      help: {
        en: "Somebody gets a level that opens the console, or a higher one of these: by hand, by an invitation or from the command line.",
        tr: "Birine konsolu açan bir düzey veya bunların daha yükseği verildi: elle, davetle veya komut satırından.",
      },
    },
    first_export: {
      kind: "boolean",
      labels: { en: "First exports of personal data", tr: "İlk kişisel veri dışa aktarımları" },
      help: {
        en: "An account exports people, mails, messages or the audit log, and hasn't within the last 90 days.",
        tr: "Bir hesap, son 90 günde yapmamışken kişileri, e-postaları, mesajları veya denetim günlüğünü dışa aktardı.",
      },
    },
    factor_off: {
      kind: "boolean",
      labels: { en: "Removed second factors of staff", tr: "Yöneticilerin kaldırılan ikinci doğrulamaları" },
      help: {
        en: "A passkey or an authenticator app of somebody who may open the console was removed. The person gets a mail of their own.",
        tr: "Konsolu açabilen birinin geçiş anahtarı veya doğrulama uygulaması kaldırıldı. Kişiye ayrıca e-posta gider.",
      },
    },
    note: {
      kind: "long_text",
      labels: { en: "Note", tr: "Not" },
      help: {
        en: "Why the settings are as they are, for whoever reads this later.",
        tr: "Ayarların neden böyle olduğu; bunu sonra okuyacaklar için.",
      },
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "note",
  list: ["token_reuse", "failed_log_ins", "new_staff", "first_export", "factor_off"],
  singleton: true,
  defaultSort: [],
  access: { view: 999, create: null, update: 999, delete: null },
  stepUp: { update: true },
});
