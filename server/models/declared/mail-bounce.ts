import { index, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { BOUNCE_TYPES } from "#contract/mail/triage.ts";
import { searchColumn, searchIndex } from "../columns.ts";
import { declareModel, READ_ONLY, TIMESTAMP_FIELDS } from "../declare.ts";
import { TRIAGE_FIELDS, triageColumns } from "./mail-triage.ts";
import { toMailChoices, toMailLabels } from "./mail-words.ts";

/** Mails that came back. Field names are those of specification B, section 3. */
export const mailBounceTable = pgTable(
  "mail_bounce",
  {
    ...triageColumns(),
    /** An undetermined one is shown as transient. */
    bounce_type: text("bounce_type", { enum: ["Permanent", "Transient"] }).notNull(),
    bounce_subtype: text("bounce_subtype").notNull(),
    status_code: text("status_code"),
    diagnostic_code: text("diagnostic_code"),
    bounced_at: timestamp("bounced_at", { withTimezone: true, mode: "string" }).notNull(),
    search: searchColumn({ plain: ["email_address", "diagnostic_code"] }),
  },
  (table) => [
    unique("mail_bounce_message").on(table.message_id),
    index("mail_bounce_bounced").on(table.bounced_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
    // With what the list of triage filters by: it counts, and finds a page far out, without reading the rows.
    index("mail_bounce_open").on(
      table.is_processed,
      table.bounced_at.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
      table.bounce_type,
      table.unsubscribed_by,
    ),
    index("mail_bounce_contact").on(table.contact_message_id),
    index("mail_bounce_suppression").on(table.suppression_id),
    index("mail_bounce_owner").on(table.owner_id),
    index("mail_bounce_processed_by").on(table.processed_by_id),
    searchIndex("mail_bounce", table.search),
  ],
);

export const mailBounce = declareModel({
  app: "mail",
  name: "bounce",
  order: 420,
  table: mailBounceTable,
  labels: { en: "Returned mail", tr: "Geri dönen e-posta" },
  pluralLabels: { en: "Returned mails", tr: "Geri dönen e-postalar" },
  help: {
    en: "Mails that other servers did not deliver, one row for each, and what staff did about them.",
    tr: "Diğer sunucuların teslim etmediği e-postalar ve yöneticilerin yaptıkları; her biri için bir satır.",
  },
  fields: {
    email_address: { kind: "email", labels: toMailLabels("fields", "email_address") },
    bounce_type: {
      kind: "choice",
      labels: toMailLabels("fields", "bounce_type"),
      help: {
        en: "Permanent: the address takes no mail. Temporary (Transient): it may work later.",
        tr: "Kalıcı (Permanent): adres e-posta almıyor. Geçici (Transient): sonra ulaşabilir.",
      },
      choices: toMailChoices("bounceTypes", BOUNCE_TYPES),
    },
    bounce_subtype: { kind: "text", labels: toMailLabels("fields", "bounce_subtype") },
    status_code: {
      kind: "text",
      labels: toMailLabels("fields", "status_code"),
      help: { en: "As RFC 3463 numbers them.", tr: "RFC 3463 numaraları." },
    },
    diagnostic_code: { kind: "long_text", labels: toMailLabels("fields", "diagnostic_code") },
    bounced_at: { kind: "date_time", labels: toMailLabels("fields", "bounced_at") },
    ...TRIAGE_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "email_address",
  list: ["email_address", "bounce_type", "bounce_subtype", "bounced_at", "is_processed"],
  search: ["email_address", "diagnostic_code"],
  large: true,
  sorts: ["bounced_at"],
  defaultSort: [{ field: "bounced_at", direction: "desc" }],
  access: READ_ONLY,
  stepUp: { export: true },
});
