import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, itemColumns, localizedColumn } from "#server/models/columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "#server/models/declare.ts";
import { experienceTable } from "#server/models/declared/experience.ts";
import { userTable } from "#server/models/declared/user.ts";
import { ITEM_FIELDS } from "#server/models/item-fields.ts";

/** The model of the recipe "a model on a public page" in docs/contributing.md: as it is, a file of server/models/declared. @public there */
export const talkTable = pgTable(
  "cv_talk",
  {
    ...baseColumns(),
    title: localizedColumn("title").notNull(),
    held_on: text("held_on"),
    url: text("url"),
    experience_id: integer("experience_id").references(() => experienceTable.id, { onDelete: "set null" }),
    speaker_id: integer("speaker_id").references(() => userTable.id, { onDelete: "set null" }),
    fee: integer("fee"),
    ...itemColumns(),
  },
  (table) => [index("cv_talk_position").on(table.position, table.id)],
);

export const talk = declareModel({
  app: "cv",
  name: "talk",
  table: talkTable,
  labels: { en: "Talk", tr: "Konuşma" },
  pluralLabels: { en: "Talks", tr: "Konuşmalar" },
  help: { en: "Talks that were given.", tr: "Yapılan konuşmalar." },
  fields: {
    title: { kind: "localized_text", labels: { en: "Title", tr: "Başlık" }, maxLength: 200 },
    held_on: { kind: "partial_date", labels: { en: "Date", tr: "Tarih" } },
    url: { kind: "url", labels: { en: "Recording", tr: "Kayıt" } },
    experience_id: { kind: "relation", labels: { en: "Given for", tr: "Kurum" }, related: "cv.experience" },
    speaker_id: {
      kind: "relation",
      labels: { en: "Speaker", tr: "Konuşmacı" },
      related: "accounts.user",
      person: true,
    },
    fee: { kind: "integer", labels: { en: "Fee", tr: "Ücret" }, viewLevel: 10 },
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "title",
  list: ["title", "held_on", "speaker_id", "position"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: { section: { order: 550 } },
});
