import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/mail.json" with { type: "json" };
import tr from "#locales/tr/mail.json" with { type: "json" };
import { searchColumn, searchIndex } from "../columns.ts";
import { type Choice, declareModel, LANGUAGE_CHOICES, READ_ONLY, TIMESTAMP_FIELDS } from "../declare.ts";
import { contactMessageTable } from "./contact-message.ts";
import { toMailChoices } from "./mail-words.ts";
import { userTable } from "./user.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

/** From the first to the furthest: of two events of one mail the further one says what became of it. */
const DELIVERY_STATES = [
  "pending",
  "held",
  "suppressed",
  "expired",
  "failed",
  "sent",
  "delayed",
  "delivered",
  "rejected",
  "bounced",
  "complained",
] as const;

/** Kinds of mail are texts that have a label; `server/mail/kinds.test.ts` compares the two. */
export const KIND_CHOICES: readonly Choice[] = Object.entries(en).flatMap(([value, texts]) => {
  const turkish: Partial<Record<string, object>> = tr;
  const labelOf = (of: object | undefined) => (of && "label" in of ? String(of.label) : "");
  const labels = { en: labelOf(texts), tr: labelOf(turkish[value]) };
  return labels.en === "" ? [] : [{ value, labels }];
});

/** What people call a kind; its name where a mail of an older version has one that is no more. */
export function toKindLabel(name: string, lang: Language): string {
  return KIND_CHOICES.find(({ value }) => value === name)?.labels[lang] ?? name;
}

/** The outbox: every mail that was ever to be sent, written in the transaction of what causes it. */
export const mailMessageTable = pgTable(
  "mail_message",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    created_at: moment("created_at").notNull().defaultNow(),
    updated_at: moment("updated_at").notNull().defaultNow(),
    /** Random; names the message in the link that stops such mails. */
    token: text("token").notNull(),
    /** Another one; names it in its return path and in reports: whoever is passed the link can't forge a report. */
    report_token: text("report_token").notNull(),
    /** The Message-ID, the same for every attempt. */
    message_id: text("message_id").notNull(),
    kind: text("kind").notNull(),
    recipient: text("recipient").notNull(),
    /** One text for all spellings of the recipient (`server/mail/secrets.ts`); empty once the person is taken out. */
    recipient_key: text("recipient_key").notNull(),
    language: text("language", { enum: ["en", "tr"] }).notNull(),
    /** What the template shows, without secrets; emptied where it holds a stranger's text and the message is done. */
    vars: jsonb("vars").$type<Record<string, string>>().notNull(),
    /** Encrypted; null where there is none, or the message is done. */
    secret: text("secret"),
    /** Of two messages with one key the second is not taken. */
    dedupe_key: text("dedupe_key"),
    status: text("status", {
      enum: ["pending", "held", "sending", "sent", "failed", "suppressed", "expired"],
    })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    next_attempt_at: moment("next_attempt_at").notNull().defaultNow(),
    /** Not to be sent any more from here on; null: no such moment. */
    expires_at: moment("expires_at"),
    sent_at: moment("sent_at"),
    /**
     * When the other server answered for good, whether it took the mail or not: the day that statistics count it on. Null also of
     * trials, which no statistics count.
     */
    handed_over_at: moment("handed_over_at"),
    /** What became of it, derived from its events (`mail_event`): the furthest of them, not the last. */
    delivery_state: text("delivery_state", { enum: DELIVERY_STATES }).notNull().default("pending"),
    delivered_at: moment("delivered_at"),
    failure_reason: text("failure_reason"),
    /** What the other server said last, or what went wrong. */
    response: text("response"),
    contact_message_id: integer("contact_message_id").references(() => contactMessageTable.id, {
      onDelete: "set null",
    }),
    user_id: integer("user_id").references(() => userTable.id, { onDelete: "set null" }),
    /** The number of the request that it was queued for, as logs name it; null: for none. */
    request_id: text("request_id"),
    search: searchColumn({ plain: ["recipient", "kind"] }),
  },
  (table) => [
    unique("mail_message_token").on(table.token),
    unique("mail_message_report_token").on(table.report_token),
    unique("mail_message_dedupe").on(table.dedupe_key),
    index("mail_message_due").on(table.next_attempt_at).where(sql`${table.status} IN ('pending', 'sending')`),
    index("mail_message_held").on(table.expires_at).where(sql`${table.status} = 'held'`),
    index("mail_message_created").on(table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index("mail_message_contact").on(table.contact_message_id),
    index("mail_message_user").on(table.user_id),
    searchIndex("mail_message", table.search),
    index("mail_message_recipient").on(table.recipient_key, table.created_at),
    index("mail_message_handed_over").on(table.handed_over_at, table.delivery_state),
    index("mail_message_message_id").on(table.message_id),
  ],
);

export const DELIVERY_CHOICES = toMailChoices("kinds", [
  "pending",
  "held",
  "sent",
  "delayed",
  "delivered",
  "bounced",
  "complained",
  "rejected",
  "failed",
  "suppressed",
  "expired",
]);

// The token opens the page that stops such mails, `vars` may hold a stranger's text: neither is a field.
export const mailMessage = declareModel({
  app: "mail",
  name: "message",
  order: 400,
  table: mailMessageTable,
  labels: { en: "Mail", tr: "E-posta" },
  pluralLabels: { en: "Mails", tr: "E-postalar" },
  help: {
    en: "Every mail that the site sends or tried to send, without its text.",
    tr: "Sitenin gönderdiği veya göndermeyi denediği her e-posta; metni olmadan.",
  },
  fields: {
    recipient: { kind: "email", labels: { en: "Recipient", tr: "Alıcı" } },
    kind: {
      kind: "choice",
      labels: { en: "Kind", tr: "Tür" },
      choices: KIND_CHOICES,
    },
    status: {
      kind: "choice",
      labels: { en: "Status", tr: "Durum" },
      help: {
        en: "Held: it waits until staff release an alarm. Suppressed: the address gets no such mail. Expired: too late to be of use.",
        tr: "Bekletiliyor: yöneticiler bir uyarıyı kaldırana kadar bekler. Engellendi: bu adrese böyle e-posta gitmez. Süresi doldu: artık işe yaramazdı.",
      },
      choices: toMailChoices("kinds", [
        "pending",
        "held",
        "sending",
        "sent",
        "failed",
        "suppressed",
        "expired",
      ]),
    },
    delivery_state: {
      kind: "choice",
      labels: { en: "Delivery", tr: "Teslimat" },
      help: {
        en: "What became of it, as far as other servers report. Sent: the next server took it.",
        tr: "Diğer sunucuların bildirdiği kadarıyla sonucu. Gönderildi: bir sonraki sunucu aldı.",
      },
      choices: DELIVERY_CHOICES,
    },
    handed_over_at: {
      kind: "date_time",
      labels: { en: "Handed over", tr: "Sunucuya verilme" },
      help: {
        en: "When the next server answered for good, whether it took the mail or not: figures count it on that day. Empty: not yet, or it only tried out the ways in.",
        tr: "Bir sonraki sunucunun, e-postayı alsa da almasa da, kesin yanıt verdiği an; istatistikler o güne sayar. Boşsa henüz yanıt yoktur veya e-posta yalnızca bildirim yollarını denemiştir.",
      },
    },
    delivered_at: {
      kind: "date_time",
      labels: { en: "Delivered", tr: "Teslim edilme" },
      help: {
        en: "As the recipient's server told. Empty: it told nothing.",
        tr: "Alıcının sunucusunun bildirdiği an. Boşsa bir şey bildirmedi.",
      },
    },
    failure_reason: {
      kind: "long_text",
      labels: { en: "Why not", tr: "Neden teslim edilmedi" },
      help: {
        en: "What the server said that did not take it, or what the site says.",
        tr: "E-postayı almayan sunucunun söylediği veya sitenin açıklaması.",
      },
    },
    language: { kind: "choice", labels: { en: "Language", tr: "Dil" }, choices: LANGUAGE_CHOICES },
    attempts: {
      kind: "integer",
      labels: { en: "Attempts", tr: "Deneme sayısı" },
      help: { en: "How often sending it began.", tr: "Kaç kez gönderilmeye başlandığı." },
    },
    next_attempt_at: {
      kind: "date_time",
      labels: { en: "Next attempt", tr: "Sonraki deneme" },
      help: {
        en: "Only of a mail that still waits.",
        tr: "Yalnızca bekleyen bir e-posta için geçerlidir.",
      },
    },
    expires_at: {
      kind: "date_time",
      labels: { en: "Of use until", tr: "Son geçerlilik" },
      help: {
        en: "Not sent after this. Empty: at any time.",
        tr: "Bundan sonra gönderilmez. Boşsa süresi yoktur.",
      },
    },
    sent_at: {
      kind: "date_time",
      labels: { en: "Sent", tr: "Gönderilme" },
      help: { en: "When the other server took it.", tr: "Karşı sunucunun e-postayı aldığı an." },
    },
    response: {
      kind: "long_text",
      labels: { en: "Answer", tr: "Yanıt" },
      help: {
        en: "What the other server said last, or what went wrong.",
        tr: "Karşı sunucunun son yanıtı veya sorunun ne olduğu.",
      },
    },
    message_id: {
      kind: "text",
      labels: { en: "Message-ID", tr: "Message-ID" },
      help: {
        en: "Finds the mail in other servers' logs.",
        tr: "E-postayı başka sunucuların günlüğünde bulmaya yarar.",
      },
    },
    contact_message: {
      kind: "relation",
      column: "contact_message_id",
      related: "contact.message",
      labels: { en: "Contact message", tr: "İletişim mesajı" },
      help: {
        en: "What the mail is about. Empty: nothing, or it is gone.",
        tr: "E-postanın konusu olan mesaj. Boşsa yoktur veya silinmiştir.",
      },
    },
    user: {
      kind: "relation",
      column: "user_id",
      related: "accounts.user",
      labels: { en: "User", tr: "Kullanıcı" },
      help: {
        en: "Whose account it is about. Empty: nobody's.",
        tr: "E-postanın ilgili olduğu hesap. Boşsa hiçbir hesap.",
      },
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "recipient",
  list: ["recipient", "kind", "status", "delivery_state", "created_at"],
  search: ["recipient", "kind"],
  large: true,
  sorts: ["created_at"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: READ_ONLY,
  stepUp: { export: true },
});
