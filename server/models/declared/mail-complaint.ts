import { index, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { FEEDBACK_TYPES } from "#contract/mail/triage.ts";
import { searchColumn, searchIndex } from "../columns.ts";
import { declareModel, READ_ONLY, TIMESTAMP_FIELDS } from "../declare.ts";
import { TRIAGE_FIELDS, triageColumns } from "./mail-triage.ts";
import { toMailChoices, toMailLabels } from "./mail-words.ts";

/** Mails that somebody called spam. Field names are those of specification B, section 3. */
export const mailComplaintTable = pgTable(
  "mail_complaint",
  {
    ...triageColumns(),
    feedback_type: text("feedback_type", { enum: ["abuse", "fraud", "not-spam", "other"] }).notNull(),
    /** As the report said it; null: it said nothing. */
    raw_feedback_type: text("raw_feedback_type"),
    user_agent: text("user_agent"),
    complained_at: timestamp("complained_at", { withTimezone: true, mode: "string" }).notNull(),
    search: searchColumn({ plain: ["email_address", "user_agent"] }),
  },
  (table) => [
    unique("mail_complaint_message").on(table.message_id),
    index("mail_complaint_complained").on(
      table.complained_at.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    // With what the list of triage filters by: it counts, and finds a page far out, without reading the rows.
    index("mail_complaint_open").on(
      table.is_processed,
      table.complained_at.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
      table.feedback_type,
      table.unsubscribed_by,
    ),
    index("mail_complaint_contact").on(table.contact_message_id),
    index("mail_complaint_suppression").on(table.suppression_id),
    index("mail_complaint_owner").on(table.owner_id),
    index("mail_complaint_processed_by").on(table.processed_by_id),
    searchIndex("mail_complaint", table.search),
  ],
);

export const mailComplaint = declareModel({
  app: "mail",
  name: "complaint",
  order: 430,
  table: mailComplaintTable,
  labels: { en: "Complaint", tr: "Şikâyet" },
  pluralLabels: { en: "Complaints", tr: "Şikâyetler" },
  help: {
    en: "Mails that their recipients reported as unwanted, and what staff did about them.",
    tr: "Alıcıların istenmeyen olarak bildirdiği e-postalar ve yöneticilerin yaptıkları.",
  },
  fields: {
    email_address: { kind: "email", labels: toMailLabels("fields", "email_address") },
    feedback_type: {
      kind: "choice",
      labels: toMailLabels("fields", "feedback_type"),
      choices: toMailChoices("feedbackTypes", FEEDBACK_TYPES),
    },
    raw_feedback_type: {
      kind: "text",
      labels: toMailLabels("fields", "raw_feedback_type"),
      help: { en: "Empty: the report named no type.", tr: "Boşsa bildirimde tür yok." },
    },
    user_agent: { kind: "text", labels: toMailLabels("fields", "user_agent") },
    complained_at: { kind: "date_time", labels: toMailLabels("fields", "complained_at") },
    ...TRIAGE_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "email_address",
  list: ["email_address", "feedback_type", "mail_kind", "complained_at", "is_processed"],
  search: ["email_address", "user_agent"],
  large: true,
  sorts: ["complained_at"],
  defaultSort: [{ field: "complained_at", direction: "desc" }],
  access: READ_ONLY,
  stepUp: { export: true },
});
