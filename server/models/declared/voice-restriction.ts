import { index, integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";
import { userTable } from "./user.ts";
import { voiceRoomTable } from "./voice-room.ts";

/** What a moderator keeps somebody from in a room, until it is lifted. */
export const voiceRestrictionTable = pgTable(
  "voice_restriction",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    room_id: integer("room_id")
      .notNull()
      .references(() => voiceRoomTable.id, { onDelete: "cascade" }),
    user_id: integer("user_id")
      .notNull()
      .references(() => userTable.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["mute", "ban"] }).notNull(),
    created_by_id: integer("created_by_id").references(() => userTable.id, { onDelete: "set null" }),
    created_at: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
  },
  (table) => [
    unique("voice_restriction_once").on(table.room_id, table.user_id, table.kind),
    index("voice_restriction_user").on(table.user_id),
    index("voice_restriction_created_by").on(table.created_by_id),
    index("voice_restriction_created").on(table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
  ],
);

export const voiceRestriction = declareModel({
  app: "voice",
  name: "restriction",
  order: 610,
  table: voiceRestrictionTable,
  labels: { en: "Restriction in a room", tr: "Oda kısıtlaması" },
  pluralLabels: { en: "Restrictions in rooms", tr: "Oda kısıtlamaları" },
  help: {
    en: "Who may not speak in a room, or not enter it. Deleting one lifts it.",
    tr: "Bir odada konuşamayacak veya odaya giremeyecek kişiler. Silinen kısıtlama kalkar.",
  },
  fields: {
    room: {
      kind: "relation",
      column: "room_id",
      related: "voice.room",
      labels: { en: "Room", tr: "Oda" },
      readOnly: true,
    },
    room_name: {
      kind: "computed",
      of: "text",
      sql: "(SELECT r.name FROM voice_room r WHERE r.id = {row}.room_id)",
      labels: { en: "Room's name", tr: "Odanın adı" },
    },
    user: {
      kind: "relation",
      column: "user_id",
      related: "accounts.user",
      labels: { en: "Person", tr: "Kişi" },
      readOnly: true,
      person: true,
    },
    kind: {
      kind: "choice",
      labels: { en: "Kind", tr: "Tür" },
      help: {
        en: "Muted: others don't hear them. Banned: they can't enter.",
        tr: "Susturma: başkaları kişiyi duymaz. Yasak: kişi odaya giremez.",
      },
      choices: [
        { value: "mute", labels: { en: "Muted", tr: "Susturma" } },
        { value: "ban", labels: { en: "Banned", tr: "Yasak" } },
      ],
      readOnly: true,
    },
    created_by: {
      kind: "relation",
      column: "created_by_id",
      related: "accounts.user",
      labels: { en: "Made by", tr: "Koyan" },
      help: { en: "Empty: the account is gone.", tr: "Boşsa hesap silinmiştir." },
      readOnly: true,
      author: true,
    },
    created_at: TIMESTAMP_FIELDS.created_at,
  },
  title: "room_name",
  list: ["room", "user", "kind", "created_by", "created_at"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: { view: 10, create: null, update: null, delete: 10 },
  stepUp: { export: true },
  hasWriter: true,
});
