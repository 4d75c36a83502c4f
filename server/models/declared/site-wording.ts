import { sql } from "drizzle-orm";
import { boolean, pgTable, uniqueIndex } from "drizzle-orm/pg-core";
import enContact from "#locales/en/contact.json" with { type: "json" };
import enMail from "#locales/en/mail.json" with { type: "json" };
import trContact from "#locales/tr/contact.json" with { type: "json" };
import trMail from "#locales/tr/mail.json" with { type: "json" };
import { baseColumns, localizedColumn } from "../columns.ts";
import {
  declareModel,
  type FieldDeclaration,
  type Labels,
  STAFF_CONTENT,
  TIMESTAMP_FIELDS,
} from "../declare.ts";

/** What the site says in its owner's name. An empty side is the product's own text in that language. One row at most. */
export const siteWordingTable = pgTable(
  "site_wording",
  {
    ...baseColumns(),
    contact_intro: localizedColumn("contact_intro"),
    contact_thanks: localizedColumn("contact_thanks"),
    shows_reply_time: boolean("shows_reply_time").notNull().default(true),
    reply_time: localizedColumn("reply_time"),
    contact_ways: localizedColumn("contact_ways"),
    contact_follow: localizedColumn("contact_follow"),
    receipt: localizedColumn("receipt"),
    mail_greeting: localizedColumn("mail_greeting"),
    mail_signature: localizedColumn("mail_signature"),
  },
  () => [uniqueIndex("site_wording_singleton").on(sql`(true)`)],
);

/** A sentence, and what is said while a side of it is empty: both languages, since each side is empty by itself. */
const sentence = (labels: Labels, en: string, tr: string, maxLength = 200): FieldDeclaration => ({
  kind: "localized_text",
  labels,
  help: { en: `Empty: “${en}” and “${tr}”`, tr: `Boşsa: “${en}” ve “${tr}”` },
  maxLength,
});

export const siteWording = declareModel({
  app: "site",
  name: "wording",
  order: 205,
  table: siteWordingTable,
  labels: { en: "Wording", tr: "Metinler" },
  pluralLabels: { en: "Wording", tr: "Metinler" },
  help: {
    en: "What pages and mails say in your name. A text that is empty in a language is the one given below its field.",
    tr: "Sayfaların ve e-postaların sizin adınıza söyledikleri. Bir dilde boş bırakılan metnin yerine alanın altında yazan geçer.",
  },
  fields: {
    contact_intro: sentence(
      { en: "Contact page: opening", tr: "İletişim sayfası: giriş" },
      enContact.subtitle,
      trContact.subtitle,
      500,
    ),
    contact_thanks: sentence(
      { en: "Contact page: after a message was sent", tr: "İletişim sayfası: mesaj gönderildikten sonra" },
      enContact.toast.success,
      trContact.toast.success,
    ),
    shows_reply_time: {
      kind: "boolean",
      labels: { en: "Say when a reply comes", tr: "Yanıtın ne zaman geleceğini söyle" },
      help: {
        en: "Off: neither the contact page nor search engines and /llms.txt are promised a time.",
        tr: "Kapalıysa iletişim sayfasında da arama motorlarına ve /llms.txt'ye de bir süre söylenmez.",
      },
    },
    reply_time: sentence(
      { en: "When a reply comes", tr: "Yanıtın ne zaman geleceği" },
      enContact.side.reply,
      trContact.side.reply,
    ),
    contact_ways: sentence(
      { en: "Heading of other ways to you", tr: "Size ulaşmanın diğer yollarının başlığı" },
      enContact.side.title,
      trContact.side.title,
      80,
    ),
    contact_follow: sentence(
      { en: "Heading of your profiles elsewhere", tr: "Başka sitelerdeki profillerinizin başlığı" },
      enContact.side.follow,
      trContact.side.follow,
      80,
    ),
    receipt: {
      kind: "localized_long_text",
      labels: { en: "Mail: receipt for a contact message", tr: "E-posta: iletişim mesajının alındı iletisi" },
      help: {
        en: `Goes to whoever wrote. Empty: “${enMail.contact_acknowledgement.text}”`,
        tr: `Mesajı yazana gider. Boşsa: “${trMail.contact_acknowledgement.text}”`,
      },
      maxLength: 1000,
    },
    mail_greeting: {
      kind: "localized_text",
      labels: { en: "Mails: greeting", tr: "E-postalar: selamlama" },
      help: {
        en: "The first line of every mail, such as “Hello,”. Empty: mails begin with their subject matter.",
        tr: "Her e-postanın ilk satırı; örneğin “Merhaba,”. Boşsa e-postalar doğrudan konuyla başlar.",
      },
      maxLength: 100,
    },
    mail_signature: {
      kind: "localized_long_text",
      labels: { en: "Mails: signature", tr: "E-postalar: imza" },
      help: {
        en: "Stands at the foot of every mail. Empty: your name and the address of the site.",
        tr: "Her e-postanın altında durur. Boşsa adınız ve sitenin adresi.",
      },
      maxLength: 500,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "reply_time",
  list: ["contact_intro", "reply_time", "mail_signature", "updated_at"],
  singleton: true,
  defaultSort: [],
  access: STAFF_CONTENT,
  sitePath: "/contact",
});
