import { sql } from "drizzle-orm";
import { pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { REGISTRATION_MODES } from "#contract/site/site.ts";
import { baseColumns } from "../columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";

/** Who may register. Without a row everybody may. */
export const registrationTable = pgTable(
  "account_registration",
  {
    ...baseColumns(),
    mode: text("mode", { enum: REGISTRATION_MODES }).notNull().default("open"),
    /** When staff were last written to about people who wait. */
    notified_at: timestamp("notified_at", { withTimezone: true, mode: "string" }),
  },
  () => [uniqueIndex("account_registration_singleton").on(sql`(true)`)],
);

export const registration = declareModel({
  app: "accounts",
  name: "registration",
  order: 720,
  table: registrationTable,
  labels: { en: "Registration", tr: "Kayıt" },
  pluralLabels: { en: "Registration", tr: "Kayıt" },
  help: {
    en: "Who may make an account. A change holds at once; accounts that are there stay, and staff can always make one for somebody.",
    tr: "Kimlerin hesap açabileceği. Değişiklik hemen geçerlidir; var olan hesaplar kalır, yöneticiler her zaman birine hesap açabilir.",
  },
  fields: {
    mode: {
      kind: "choice",
      labels: { en: "Who may register", tr: "Kimler kayıt olabilir" },
      help: {
        en: "With every choice but “Everybody”, whoever registered and confirms their address waits until you decide in the list of users. An invitation lets in at once; with “Nobody” its holder waits too, and gets the usual level when you approve them: give the invitation's by hand.",
        tr: "“Herkes” dışındaki her seçimde, kayıt olup adresini doğrulayan kişi siz kullanıcı listesinde karar verene kadar bekler. Davet hemen içeri alır; “Hiç kimse” seçiliyken davetli de bekler ve onayladığınızda olağan düzeyi alır: davetin düzeyini elle verin.",
      },
      choices: [
        { value: "open", labels: { en: "Everybody", tr: "Herkes" } },
        { value: "approval", labels: { en: "Everybody, by approval", tr: "Herkes, onaydan sonra" } },
        { value: "invitation", labels: { en: "Whoever has an invitation", tr: "Daveti olanlar" } },
        { value: "closed", labels: { en: "Nobody", tr: "Hiç kimse" } },
      ],
    },
    waiting_count: {
      kind: "computed",
      of: "integer",
      sql: "(SELECT count(*)::integer FROM account_user u WHERE u.admission = 'waiting' AND {row}.id IS NOT NULL)",
      labels: { en: "Waiting for a decision", tr: "Karar bekleyen" },
      help: {
        en: "People, whatever is chosen above: the list of users shows them under the filter “Admission: Waiting”.",
        tr: "Yukarıda ne seçilmiş olursa olsun bekleyen kişi sayısı: kullanıcı listesinde “Kabul: Bekliyor” filtresiyle görünürler.",
      },
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "mode",
  list: ["mode", "updated_at"],
  singleton: true,
  defaultSort: [],
  access: { view: 10, create: 999, update: 999, delete: 999 },
});
