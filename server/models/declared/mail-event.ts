import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { declareModel, READ_ONLY, TIMESTAMP_FIELDS } from "../declare.ts";
import { mailMessageTable } from "./mail-message.ts";
import { toMailChoices, toMailLabels } from "./mail-words.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/**
 * What a source reported, as it came but for what nobody may read later (subjects, bodies, returned messages): events are read
 * out of it, and again when the parser is better. No model: superusers see it through its own calls. Kept for 90 days.
 */
export const mailReportTable = pgTable(
  "mail_report",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    received_at: moment("received_at").notNull(),
    source: text("source").notNull(),
    /** The source's id of it: one report that comes twice is one. */
    report_key: text("report_key").notNull(),
    content: jsonb("content").notNull(),
    /** `new`: to be read; `failed`: could not be understood, and `error` says why. */
    state: text("state", { enum: ["new", "read", "failed"] })
      .notNull()
      .default("new"),
    error: text("error"),
    /** Of the parser that read it last. */
    parser_version: integer("parser_version"),
  },
  (table) => [
    unique("mail_report_once").on(table.source, table.report_key),
    index("mail_report_unread").on(table.id).where(sql`${table.state} = 'new'`),
    index("mail_report_failed").on(table.source, table.id).where(sql`${table.state} = 'failed'`),
    index("mail_report_received").on(table.received_at),
  ],
);

/** What staff see of a way in beside its reports: why it last refused something, and what it waits for. */
export const mailSourceTable = pgTable("mail_source", {
  name: text("name").primaryKey(),
  refused_at: moment("refused_at"),
  refusal: text("refusal"),
  /** A link that the provider wants somebody to open before it sends reports. */
  confirmation_url: text("confirmation_url"),
  confirmation_topic: text("confirmation_topic"),
  confirmation_at: moment("confirmation_at"),
});

/** The mail server that takes no envelope sender but the mails' own: its settings as a key, and what it said. One row at most. */
export const mailReturnPathTable = pgTable("mail_return_path", {
  server: text("server").primaryKey(),
  refused_at: moment("refused_at").notNull(),
  asked_at: moment("asked_at").notNull(),
  answer: text("answer").notNull(),
});

/** What happened to a mail: the outbox's own steps, and what reports say. Only added to; a replay supersedes. */
export const mailEventTable = pgTable(
  "mail_event",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    created_at: moment("created_at").notNull().defaultNow(),
    /** Null: of no mail of ours, or of none yet. */
    message_id: integer("message_id").references(() => mailMessageTable.id, { onDelete: "cascade" }),
    /** Null: the outbox's own, or the report is over. */
    report_id: integer("report_id").references(() => mailReportTable.id, { onDelete: "set null" }),
    kind: text("kind").notNull(),
    /** `outbox`, or the report's source. */
    source: text("source").notNull(),
    event_key: text("event_key").notNull(),
    /** As the source writes it. */
    recipient: text("recipient").notNull(),
    recipient_key: text("recipient_key").notNull(),
    /** As the source says it: shown, never counted by. */
    occurred_at: moment("occurred_at"),
    /** The provider's id of the mail. One mail can have several: it is handed over at least once. */
    provider_id: text("provider_id"),
    bounce_type: text("bounce_type", { enum: ["Permanent", "Transient", "Undetermined"] }),
    bounce_subtype: text("bounce_subtype"),
    /** Of a permanent bounce: whether its code or words speak of the address and of nothing else; null: its code decides. */
    is_certain: boolean("is_certain"),
    status_code: text("status_code"),
    diagnostic: text("diagnostic"),
    feedback_type: text("feedback_type"),
    user_agent: text("user_agent"),
    /** Of a complaint: how many recipients it may be of. */
    candidates: integer("candidates"),
    feedback_id: text("feedback_id"),
    reporting_server: text("reporting_server"),
    parser_version: integer("parser_version").notNull(),
    /** A later reading of the same report says something else. */
    superseded_at: moment("superseded_at"),
  },
  (table) => [
    uniqueIndex("mail_event_once")
      .on(table.source, table.event_key, table.recipient_key)
      .where(sql`${table.superseded_at} IS NULL`),
    index("mail_event_message").on(table.message_id, table.id),
    index("mail_event_report").on(table.report_id),
    index("mail_event_unmatched").on(table.provider_id).where(sql`${table.message_id} IS NULL`),
    index("mail_event_own_bounce")
      .on(table.message_id)
      .where(sql`${table.source} = 'outbox' AND ${table.kind} = 'bounced'`),
    // The last event of each way in; our own hand-over always has a late one.
    index("mail_event_told")
      .on(table.source, table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`${table.superseded_at} IS NULL AND ${table.source} <> 'outbox'`),
    index("mail_event_created").on(table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
  ],
);

const EVENT_CHOICES = toMailChoices("kinds", [
  "queued",
  "sent",
  "delayed",
  "delivered",
  "bounced",
  "complained",
  "rejected",
  "failed",
  "unsubscribed",
]);

/** Ways in by which what became of a mail is known. */
export const MAIL_SOURCE_CHOICES = toMailChoices("sources", [
  "outbox",
  "ses",
  "returned",
  "postmark",
  "mailgun",
  "signed",
]);

export const mailEvent = declareModel({
  app: "mail",
  name: "event",
  order: 410,
  table: mailEventTable,
  labels: { en: "Mail event", tr: "E-posta olayı" },
  pluralLabels: { en: "Mail events", tr: "E-posta olayları" },
  help: {
    en: "What happened to each mail, step by step, and who reported it.",
    tr: "Her e-postaya adım adım ne olduğu ve bunu kimin bildirdiği.",
  },
  fields: {
    recipient: { kind: "email", labels: { en: "Recipient", tr: "Alıcı" } },
    kind: { kind: "choice", labels: { en: "Event", tr: "Olay" }, choices: EVENT_CHOICES },
    source: { kind: "choice", labels: toMailLabels("fields", "source"), choices: MAIL_SOURCE_CHOICES },
    message: {
      kind: "relation",
      column: "message_id",
      related: "mail.message",
      labels: { en: "Mail", tr: "E-posta" },
      help: {
        en: "Empty: it belongs to no mail of this site.",
        tr: "Boşsa bu sitenin bir e-postası değildir.",
      },
    },
    occurred_at: {
      kind: "date_time",
      labels: { en: "Happened", tr: "Gerçekleşme" },
      help: { en: "As the source tells it.", tr: "Kaynağın bildirdiği an." },
    },
    bounce_type: {
      kind: "choice",
      labels: toMailLabels("fields", "bounce_type"),
      choices: toMailChoices("bounceTypes", ["Permanent", "Transient", "Undetermined"]),
    },
    bounce_subtype: { kind: "text", labels: toMailLabels("fields", "bounce_subtype") },
    status_code: {
      kind: "text",
      labels: toMailLabels("fields", "status_code"),
      help: { en: "As RFC 3463 numbers them.", tr: "RFC 3463 numaraları." },
    },
    diagnostic: { kind: "long_text", labels: toMailLabels("fields", "diagnostic_code") },
    feedback_type: { kind: "text", labels: toMailLabels("fields", "feedback_type") },
    reporting_server: { kind: "text", labels: { en: "Reported by", tr: "Bildiren sunucu" } },
    superseded_at: {
      kind: "date_time",
      labels: { en: "Superseded", tr: "Yerine yenisi geçti" },
      help: {
        en: "A later reading of the same report says something else.",
        tr: "Aynı bildirimin sonraki okunuşu başka bir şey söylüyor.",
      },
    },
    created_at: TIMESTAMP_FIELDS.created_at,
  },
  title: "recipient",
  list: ["recipient", "kind", "source", "created_at"],
  large: true,
  sorts: ["created_at"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: READ_ONLY,
  stepUp: { export: true },
});
