import { boolean, index, integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { VOICE_LIMITS } from "#contract/voice/rooms.ts";
import { baseColumns, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, TIMESTAMP_FIELDS } from "../declare.ts";
import { userTable } from "./user.ts";

/** Voice rooms. Who is in one is not kept here: that is in the memory of the process. */
export const voiceRoomTable = pgTable(
  "voice_room",
  {
    ...baseColumns(),
    /** Random: the row's number would let anybody count through private rooms. */
    public_id: text("public_id").notNull(),
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    max_participants: integer("max_participants").notNull().default(VOICE_LIMITS.seatsDefault),
    is_public: boolean("is_public").notNull().default(false),
    auto_mute_on_join: boolean("auto_mute_on_join").notNull().default(false),
    is_active: boolean("is_active").notNull().default(true),
    engine: text("engine", { enum: ["mesh", "mix"] }).notNull(),
    created_by_id: integer("created_by_id").references(() => userTable.id, { onDelete: "set null" }),
    /** When the creator was last notified by mail that somebody is in the room. */
    creator_told_at: timestamp("creator_told_at", { withTimezone: true, mode: "string" }),
    search: searchColumn({ plain: ["name", "description"] }),
  },
  (table) => [
    unique("voice_room_public_id").on(table.public_id),
    unique("voice_room_slug").on(table.slug),
    index("voice_room_created").on(table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index("voice_room_created_by").on(table.created_by_id),
    searchIndex("voice_room", table.search),
  ],
);

export const voiceRoom = declareModel({
  app: "voice",
  name: "room",
  order: 600,
  table: voiceRoomTable,
  labels: { en: "Voice room", tr: "Sesli oda" },
  pluralLabels: { en: "Voice rooms", tr: "Sesli odalar" },
  help: {
    en: "Rooms in which people talk, public and private ones.",
    tr: "Kişilerin konuştuğu, herkese açık veya özel odalar.",
  },
  fields: {
    name: {
      kind: "text",
      labels: { en: "Name", tr: "Ad" },
      help: {
        en: "3 to 100 characters. The address stays as it is when the name changes.",
        tr: "3–100 karakter. Ad değişince odanın adresi değişmez.",
      },
      maxLength: VOICE_LIMITS.nameMaxChars,
    },
    description: {
      kind: "long_text",
      labels: { en: "Description", tr: "Açıklama" },
      maxLength: VOICE_LIMITS.descriptionMaxChars,
    },
    max_participants: {
      kind: "integer",
      labels: { en: "Max participants", tr: "En çok katılımcı" },
      help: {
        en: "2 to 100. More than 12 need the audio engine, which the room then has from its beginning.",
        tr: "2–100. 12 kişiden fazlası için ses motoru gerekir; oda bu motorla baştan kurulur.",
      },
      required: false,
    },
    is_public: {
      kind: "boolean",
      labels: { en: "Public", tr: "Herkese açık" },
      help: {
        en: "Off: not in other people's list. Whoever is logged in and has the link can enter.",
        tr: "Kapalıysa başkalarının listesinde görünmez. Bağlantıyı bilen ve giriş yapmış herkes girebilir.",
      },
    },
    auto_mute_on_join: {
      kind: "boolean",
      labels: { en: "Newcomers are muted", tr: "Yeni gelenin mikrofonu kapalı" },
      help: {
        en: "They can switch their microphone on by themselves.",
        tr: "Mikrofonlarını sonra kendileri açabilirler.",
      },
    },
    is_active: {
      kind: "boolean",
      labels: { en: "Open", tr: "Açık" },
      help: {
        en: "Off: closed. Whoever is inside has to leave, and nobody enters.",
        tr: "Kapalıysa içeridekiler çıkarılır, kimse giremez.",
      },
    },
    slug: {
      kind: "slug",
      labels: { en: "Address", tr: "Adres" },
      help: { en: "The end of /room/….", tr: "/room/… adresinin sonu." },
      readOnly: true,
    },
    public_id: {
      kind: "text",
      labels: { en: "Room id", tr: "Oda kimliği" },
      help: {
        en: "What invitations hold. Nobody can guess it.",
        tr: "Davetlerde yer alır. Tahmin edilemez.",
      },
      readOnly: true,
    },
    engine: {
      kind: "choice",
      labels: { en: "Sound", tr: "Ses" },
      help: {
        en: "By the size that the room was made with. It stays.",
        tr: "Odanın kurulduğu büyüklüğe göre belirlenir, sonra değişmez.",
      },
      choices: [
        { value: "mesh", labels: { en: "Between the browsers", tr: "Tarayıcılar arasında" } },
        { value: "mix", labels: { en: "Mixed on this server", tr: "Bu sunucuda karıştırılır" } },
      ],
      readOnly: true,
    },
    created_by: {
      kind: "relation",
      column: "created_by_id",
      related: "accounts.user",
      labels: { en: "Made by", tr: "Kuran" },
      help: { en: "Empty: the account is gone.", tr: "Boşsa hesap silinmiştir." },
      readOnly: true,
      author: true,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "name",
  list: ["name", "is_public", "is_active", "created_by", "created_at"],
  search: ["name", "description"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  // Who made a room below level 10 writes it through the voice API; here are those who may write every room.
  access: { view: 10, create: 10, update: 10, delete: 10 },
  hasWriter: true,
});
