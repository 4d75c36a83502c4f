import { sql } from "drizzle-orm";
import { pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { REGISTRATION_MODES } from "#contract/site/site.ts";
import { baseColumns } from "../columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";

/** Who may register. Without a row everybody may. */
export const registrationTable = pgTable(
  "account_registration",
  {
    ...baseColumns(),
    mode: text("mode", { enum: REGISTRATION_MODES }).notNull().default("open"),
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
        en: "Links of the invitations let in with the first two.",
        tr: "Davet bağlantıları ilk iki seçenekte geçerlidir.",
      },
      choices: [
        { value: "open", labels: { en: "Everybody", tr: "Herkes" } },
        { value: "invitation", labels: { en: "Whoever has an invitation", tr: "Daveti olanlar" } },
        { value: "closed", labels: { en: "Nobody", tr: "Hiç kimse" } },
      ],
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "mode",
  list: ["mode", "updated_at"],
  singleton: true,
  defaultSort: [],
  access: { view: 10, create: 999, update: 999, delete: 999 },
});
