import { index, integer, jsonb, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { searchColumn, searchIndex } from "../columns.ts";
import { declareModel, READ_ONLY, TIMESTAMP_FIELDS } from "../declare.ts";
import { mailEventTable } from "./mail-event.ts";
import { toMailChoices } from "./mail-words.ts";
import { userTable } from "./user.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/** Addresses that get no mail (`all`), or none but codes and security notices (`optional`). */
export const mailSuppressionTable = pgTable(
  "mail_suppression",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    created_at: moment("created_at").notNull().defaultNow(),
    updated_at: moment("updated_at").notNull().defaultNow(),
    /** As `server/mail/secrets.ts` writes it. */
    address: text("address").notNull(),
    scope: text("scope", { enum: ["all", "optional"] }).notNull(),
    reason: text("reason").notNull(),
    /** What reported it: `unsubscribe`, `admin`, `bounce`, `complaint` … */
    source: text("source").notNull().default("admin"),
    /** The event that caused it, where one did. */
    source_event_id: integer("source_event_id").references(() => mailEventTable.id, { onDelete: "set null" }),
    created_by_id: integer("created_by_id").references(() => userTable.id, { onDelete: "set null" }),
    expires_at: moment("expires_at"),
    search: searchColumn({ plain: ["address", "reason"] }),
  },
  (table) => [
    unique("mail_suppression_address").on(table.address, table.scope),
    index("mail_suppression_created").on(table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
    searchIndex("mail_suppression", table.search),
    index("mail_suppression_created_by").on(table.created_by_id),
    index("mail_suppression_event").on(table.source_event_id),
  ],
);

/** A suppression as it stood before and after a change; null: there was none. */
export interface SuppressionState {
  scope: "all" | "optional";
  reason: string;
  source: string;
  source_event_id: number | null;
  created_by_id: number | null;
  created_at: string;
  expires_at: string | null;
}

/** What was done to suppressions, so that it can be undone exactly. Its own table: the log is dropped after some months. */
export const mailSuppressionChangeTable = pgTable(
  "mail_suppression_change",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    created_at: moment("created_at").notNull().defaultNow(),
    /** One for all that was done in one call. */
    batch_id: text("batch_id").notNull(),
    address: text("address").notNull(),
    scope: text("scope", { enum: ["all", "optional"] }).notNull(),
    before: jsonb("before").$type<SuppressionState>(),
    after: jsonb("after").$type<SuppressionState>(),
    actor_id: integer("actor_id").references(() => userTable.id, { onDelete: "set null" }),
    undone_at: moment("undone_at"),
  },
  (table) => [
    index("mail_suppression_change_batch").on(table.batch_id),
    index("mail_suppression_change_created").on(table.created_at),
    index("mail_suppression_change_actor").on(table.actor_id),
  ],
);

export const mailSuppression = declareModel({
  app: "mail",
  name: "suppression",
  order: 440,
  table: mailSuppressionTable,
  labels: { en: "Suppressed address", tr: "Engellenen adres" },
  pluralLabels: { en: "Suppressed addresses", tr: "Engellenen adresler" },
  help: {
    en: "Addresses that get no mail from this site, and why.",
    tr: "Bu siteden e-posta gitmeyen adresler ve nedenleri.",
  },
  fields: {
    address: {
      kind: "lower_email",
      labels: { en: "Address", tr: "Adres" },
      help: {
        en: "Kept in lower case. “#” and figures: of an account that was deleted; mail to it is still stopped.",
        tr: "Küçük harfle saklanır. “#” ve rakamlar: silinmiş bir hesabın adresi; ona e-posta gitmemeye devam eder.",
      },
    },
    scope: {
      kind: "choice",
      labels: { en: "Scope", tr: "Kapsam" },
      help: {
        en: "Codes and security notices still go to an address of the second kind.",
        tr: "İkinci türdeki adreslere kodlar ve güvenlik bildirimleri yine gider.",
      },
      choices: toMailChoices("scopes", ["all", "optional"]),
    },
    reason: {
      kind: "text",
      labels: { en: "Reason", tr: "Neden" },
      help: { en: "For whoever reads this later.", tr: "Bunu sonra okuyacaklar için." },
      maxLength: 500,
    },
    source: {
      kind: "choice",
      labels: { en: "Source", tr: "Kaynak" },
      help: {
        en: "What told. Empty: somebody in the console.",
        tr: "Nereden öğrenildiği. Boşsa konsoldaki biri.",
      },
      choices: [
        { value: "admin", labels: { en: "Console", tr: "Konsol" } },
        { value: "unsubscribe", labels: { en: "Link in a mail", tr: "E-postadaki bağlantı" } },
        { value: "bounce", labels: { en: "Returned mail", tr: "Geri dönen e-posta" } },
        { value: "complaint", labels: { en: "Complaint", tr: "Şikâyet" } },
      ],
      required: false,
    },
    source_event: {
      kind: "relation",
      column: "source_event_id",
      related: "mail.event",
      labels: { en: "Reported event", tr: "Bildirilen olay" },
      help: {
        en: "What stopped the mail. Empty: nothing that was reported, or it is gone.",
        tr: "E-postayı durduran olay. Boşsa bildirilmiş bir olay yoktur veya silinmiştir.",
      },
      readOnly: true,
    },
    expires_at: {
      kind: "date_time",
      labels: { en: "Until", tr: "Bitiş" },
      help: { en: "Empty: for good.", tr: "Boşsa süresiz." },
    },
    created_by: {
      kind: "relation",
      column: "created_by_id",
      related: "accounts.user",
      labels: { en: "Added by", tr: "Ekleyen" },
      readOnly: true,
      author: true,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "address",
  list: ["address", "scope", "source", "created_at", "expires_at"],
  search: ["address", "reason"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  // It is changed through calls of its own, which ask for a reason and can be undone.
  access: READ_ONLY,
  stepUp: { export: true },
});
