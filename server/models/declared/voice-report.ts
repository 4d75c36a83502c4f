import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";
import { userTable } from "./user.ts";
import { voiceRoomTable } from "./voice-room.ts";

/** What somebody reported to the admins about somebody else in a room. Kept for 180 days (`server/voice/service.ts`). */
export const voiceReportTable = pgTable(
  "voice_report",
  {
    ...baseColumns(),
    room_id: integer("room_id").references(() => voiceRoomTable.id, { onDelete: "set null" }),
    /** As it was: the room may be gone. */
    room_name: text("room_name").notNull(),
    reporter_id: integer("reporter_id").references(() => userTable.id, { onDelete: "set null" }),
    reported_id: integer("reported_id").references(() => userTable.id, { onDelete: "set null" }),
    reason: text("reason").notNull(),
    message: text("message").notNull().default(""),
    state: text("state", { enum: ["open", "in_review", "closed"] })
      .notNull()
      .default("open"),
    note: text("note"),
    search: searchColumn({ plain: ["reason", "message", "room_name"] }),
  },
  (table) => [
    index("voice_report_created").on(table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index("voice_report_room").on(table.room_id),
    index("voice_report_reporter").on(table.reporter_id),
    index("voice_report_reported").on(table.reported_id),
    searchIndex("voice_report", table.search),
  ],
);

export const voiceReport = declareModel({
  app: "voice",
  name: "report",
  order: 620,
  table: voiceReportTable,
  labels: { en: "Report", tr: "Bildirim" },
  pluralLabels: { en: "Reports", tr: "Bildirimler" },
  help: {
    en: "What people told of others in voice rooms. Kept for 180 days.",
    tr: "Sesli odalarda kişilerin başkaları hakkında bildirdikleri. 180 gün saklanır.",
  },
  fields: {
    room_name: {
      kind: "text",
      labels: { en: "Room's name", tr: "Odanın adı" },
      help: { en: "As it was at that time.", tr: "Bildirildiği andaki adı." },
      readOnly: true,
    },
    room: {
      kind: "relation",
      column: "room_id",
      related: "voice.room",
      labels: { en: "Room", tr: "Oda" },
      help: { en: "Empty: the room is gone.", tr: "Boşsa oda silinmiştir." },
      readOnly: true,
    },
    reported: {
      kind: "relation",
      column: "reported_id",
      related: "accounts.user",
      labels: { en: "About", tr: "Bildirilen kişi" },
      help: { en: "Empty: the account is gone.", tr: "Boşsa hesap silinmiştir." },
      readOnly: true,
      person: true,
    },
    reporter: {
      kind: "relation",
      column: "reporter_id",
      related: "accounts.user",
      labels: { en: "Reported by", tr: "Bildiren" },
      help: { en: "Empty: the account is gone.", tr: "Boşsa hesap silinmiştir." },
      readOnly: true,
      author: true,
    },
    reason: {
      kind: "long_text",
      labels: { en: "Reason", tr: "Neden" },
      readOnly: true,
    },
    message: {
      kind: "long_text",
      labels: { en: "Text in the room", tr: "Odadaki yazı" },
      help: {
        en: "The line that the report is about. Empty: it is about something else.",
        tr: "Bildirimin konusu olan satır. Boşsa konu başkadır.",
      },
      readOnly: true,
    },
    state: {
      kind: "choice",
      labels: { en: "State", tr: "Durum" },
      choices: [
        { value: "open", labels: { en: "Open", tr: "Yeni" } },
        { value: "in_review", labels: { en: "In review", tr: "İnceleniyor" } },
        { value: "closed", labels: { en: "Closed", tr: "Kapandı" } },
      ],
      required: false,
    },
    note: {
      kind: "long_text",
      labels: { en: "Note", tr: "Not" },
      help: { en: "For staff alone.", tr: "Yalnızca yöneticiler görür." },
      maxLength: 2000,
      secret: true,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "room_name",
  list: ["room_name", "reported", "reporter", "state", "created_at"],
  search: ["reason", "message", "room_name"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: { view: 10, create: null, update: 10, delete: 999 },
  stepUp: { export: true },
  hasWriter: true,
});
