import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { contactMessageTable } from "#server/models/declared/contact-message.ts";
import { userTable } from "#server/models/declared/user.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/** The outbox: every mail that was ever to be sent, written in the transaction of what causes it. */
export const mailMessageTable = pgTable(
  "mail_message",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    created_at: moment("created_at").notNull().defaultNow(),
    updated_at: moment("updated_at").notNull().defaultNow(),
    /** Random; names the message in its return path and in the link that stops such mails. */
    token: text("token").notNull(),
    /** The Message-ID, the same for every attempt. */
    message_id: text("message_id").notNull(),
    kind: text("kind").notNull(),
    recipient: text("recipient").notNull(),
    language: text("language", { enum: ["en", "tr"] }).notNull(),
    /** What the template shows, without secrets; emptied where it holds a stranger's text and the message is done. */
    vars: jsonb("vars").$type<Record<string, string>>().notNull(),
    /** Encrypted; null where there is none, or the message is done. */
    secret: text("secret"),
    /** Of two messages with one key the second is not taken. */
    dedupe_key: text("dedupe_key"),
    status: text("status", {
      enum: ["pending", "sending", "sent", "failed", "suppressed", "expired"],
    })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    next_attempt_at: moment("next_attempt_at").notNull().defaultNow(),
    /** Not to be sent any more from here on; null: no such moment. */
    expires_at: moment("expires_at"),
    sent_at: moment("sent_at"),
    /** What the other server said last, or what went wrong. */
    response: text("response"),
    contact_message_id: integer("contact_message_id").references(() => contactMessageTable.id, {
      onDelete: "set null",
    }),
    user_id: integer("user_id").references(() => userTable.id, { onDelete: "set null" }),
  },
  (table) => [
    unique("mail_message_token").on(table.token),
    unique("mail_message_dedupe").on(table.dedupe_key),
    index("mail_message_due").on(table.next_attempt_at).where(sql`${table.status} IN ('pending', 'sending')`),
    index("mail_message_created").on(table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index("mail_message_contact").on(table.contact_message_id),
    index("mail_message_user").on(table.user_id),
    index("mail_message_recipient").on(sql`lower(${table.recipient})`),
  ],
);

/** Addresses that get no mail (`all`), or none but codes and security notices (`optional`). */
export const mailSuppressionTable = pgTable(
  "mail_suppression",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    created_at: moment("created_at").notNull().defaultNow(),
    updated_at: moment("updated_at").notNull().defaultNow(),
    /** In lower case. */
    address: text("address").notNull(),
    scope: text("scope", { enum: ["all", "optional"] }).notNull(),
    reason: text("reason").notNull(),
    /** What told: `unsubscribe`, `admin`, `bounce`, `complaint` … */
    source: text("source").notNull(),
    created_by_id: integer("created_by_id").references(() => userTable.id, { onDelete: "set null" }),
    expires_at: moment("expires_at"),
  },
  (table) => [
    unique("mail_suppression_address").on(table.address, table.scope),
    index("mail_suppression_created_by").on(table.created_by_id),
  ],
);
