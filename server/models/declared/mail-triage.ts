import { boolean, integer, jsonb, text, timestamp } from "drizzle-orm/pg-core";
import type { FieldDeclaration } from "../declare.ts";
import { contactMessageTable } from "./contact-message.ts";
import { MAIL_SOURCE_CHOICES } from "./mail-event.ts";
import { KIND_CHOICES, mailMessageTable } from "./mail-message.ts";
import { mailSuppressionTable } from "./mail-suppression.ts";
import { toMailChoices, toMailLabels } from "./mail-words.ts";
import { userTable } from "./user.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/**
 * Columns of a bounce and of a complaint: one row for each mail, however many sources report it. What a report says is derived
 * from events and may change; what staff did (owner, note, state, suppression) outlives every reading.
 */
export function triageColumns() {
  return {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    created_at: moment("created_at").notNull().defaultNow(),
    updated_at: moment("updated_at").notNull().defaultNow(),
    message_id: integer("message_id")
      .notNull()
      .references(() => mailMessageTable.id, { onDelete: "cascade" }),
    email_address: text("email_address").notNull(),
    feedback_id: text("feedback_id"),
    contact_message_id: integer("contact_message_id").references(() => contactMessageTable.id, {
      onDelete: "set null",
    }),
    mail_kind: text("mail_kind").notNull(),
    /** Of the way whose word the row has. */
    source: text("source").notNull(),
    /** What the rules of suppression say of it: `all`, `optional`, `ask` (staff decide) or `none`. */
    verdict: text("verdict", { enum: ["all", "optional", "ask", "none"] }).notNull(),
    is_processed: boolean("is_processed").notNull().default(false),
    processed_at: moment("processed_at"),
    processed_by_id: integer("processed_by_id").references(() => userTable.id, { onDelete: "set null" }),
    /** Who stopped mails to the address because of it; null: nobody. */
    unsubscribed_by: text("unsubscribed_by", { enum: ["server", "staff"] }),
    suppression_id: integer("suppression_id").references(() => mailSuppressionTable.id, {
      onDelete: "set null",
    }),
    /** The last call of staff that changed the row, and how it stood before, so that the call can be undone. */
    batch_id: text("batch_id"),
    before: jsonb("before"),
    owner_id: integer("owner_id").references(() => userTable.id, { onDelete: "set null" }),
    note: text("note"),
  };
}

/** Fields of both, beside what a report says. */
export const TRIAGE_FIELDS = {
  is_processed: { kind: "boolean", labels: { en: "Processed", tr: "İşlendi" } },
  unsubscribed_by: {
    kind: "choice",
    labels: { en: "Unsubscribed by", tr: "Engelleyen" },
    help: {
      en: "Who stopped mails to the address because of it. Empty: nobody.",
      tr: "Bu nedenle adrese e-postayı kimin durdurduğu. Boşsa kimse.",
    },
    choices: [
      { value: "server", labels: { en: "The server", tr: "Sunucu" } },
      { value: "staff", labels: { en: "Staff", tr: "Yönetici" } },
    ],
  },
  verdict: {
    kind: "choice",
    labels: toMailLabels("fields", "verdict"),
    help: {
      en: "What the rules of suppression say of it.",
      tr: "Engelleme kurallarının bunun için söylediği.",
    },
    choices: toMailChoices("verdicts", ["all", "optional", "ask", "none"]),
  },
  mail_kind: { kind: "choice", labels: toMailLabels("fields", "mail_kind"), choices: KIND_CHOICES },
  source: { kind: "choice", labels: toMailLabels("fields", "source"), choices: MAIL_SOURCE_CHOICES },
  feedback_id: {
    kind: "text",
    labels: toMailLabels("fields", "feedback_id"),
    help: { en: "The provider's own number of it.", tr: "Sağlayıcının verdiği numara." },
  },
  contact_message: {
    kind: "relation",
    column: "contact_message_id",
    related: "contact.message",
    labels: { en: "Contact message", tr: "İletişim mesajı" },
  },
  message: {
    kind: "relation",
    column: "message_id",
    related: "mail.message",
    labels: { en: "Mail", tr: "E-posta" },
  },
  suppression: {
    kind: "relation",
    column: "suppression_id",
    related: "mail.suppression",
    labels: { en: "Suppression", tr: "Engelleme" },
    help: { en: "Empty: none, or it was lifted.", tr: "Boşsa yoktur veya kaldırılmıştır." },
  },
  owner: {
    kind: "relation",
    column: "owner_id",
    related: "accounts.user",
    labels: toMailLabels("fields", "owner"),
    help: { en: "Who looks into it.", tr: "Bununla ilgilenen kişi." },
    person: true,
  },
  note: { kind: "long_text", labels: toMailLabels("fields", "note") },
} satisfies Record<string, FieldDeclaration>;
