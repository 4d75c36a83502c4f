import { index, integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { searchColumn, searchIndex } from "../columns.ts";
import { declareModel, LANGUAGE_CHOICES, TIMESTAMP_FIELDS } from "../declare.ts";

export const contactMessageTable = pgTable(
  "contact_message",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    subject: text("subject").notNull(),
    message: text("message").notNull(),
    language: text("language").notNull(),
    /** What the message is stored by, once: the challenge that the sender solved or confirmed, else a digest of what was sent. */
    challenge_id: text("challenge_id").notNull(),
    proof: text("proof").notNull().default("proven"),
    created_at: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
    search: searchColumn({ plain: ["name", "email", "subject", "message"] }),
  },
  (table) => [
    unique("contact_message_challenge").on(table.challenge_id),
    index("contact_message_created").on(table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
    searchIndex("contact_message", table.search),
  ],
);

export const contactMessage = declareModel({
  app: "contact",
  name: "message",
  order: 300,
  table: contactMessageTable,
  labels: { en: "Contact message", tr: "İletişim mesajı" },
  pluralLabels: { en: "Contact messages", tr: "İletişim mesajları" },
  help: {
    en: "What visitors wrote through the contact form.",
    tr: "Ziyaretçilerin iletişim formundan yazdıkları.",
  },
  fields: {
    name: { kind: "text", labels: { en: "Name", tr: "Ad" } },
    email: {
      kind: "email",
      labels: { en: "Email", tr: "E-posta" },
      help: {
        en: "As the sender typed it: nobody has proven it.",
        tr: "Gönderenin yazdığı adres; doğrulanmamıştır.",
      },
    },
    subject: { kind: "text", labels: { en: "Subject", tr: "Konu" } },
    message: { kind: "long_text", labels: { en: "Message", tr: "Mesaj" } },
    language: {
      kind: "choice",
      choices: LANGUAGE_CHOICES,
      labels: { en: "Language", tr: "Dil" },
      help: { en: "Language of the page it was sent from.", tr: "Gönderildiği sayfanın dili." },
    },
    proof: {
      kind: "choice",
      choices: [
        { value: "proven", labels: { en: "Proven", tr: "Denetlendi" } },
        { value: "unproven", labels: { en: "Unproven", tr: "Denetlenmedi" } },
      ],
      labels: { en: "Proof", tr: "Denetim" },
      help: {
        en: "Unproven: a program sent it without the check that the contact page makes.",
        tr: "Denetlenmedi: iletişim sayfasının yaptığı denetim olmadan, bir programla gönderildi.",
      },
    },
    created_at: { ...TIMESTAMP_FIELDS.created_at, labels: { en: "Sent", tr: "Gönderilme" } },
  },
  title: "subject",
  list: ["subject", "name", "email", "proof", "created_at"],
  search: ["name", "email", "subject", "message"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: { view: 10, create: null, update: null, delete: 999 },
  stepUp: { export: true },
});
