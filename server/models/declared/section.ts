import { boolean, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { localizedColumn } from "../columns.ts";
import { declareModel, STAFF_CONTENT } from "../declare.ts";

/**
 * The sections of the CV's page, a row for each model that has one, made at start (`cv/page/sections.ts`). Without timestamps: the
 * rows that a start makes are no change of the page, and the sitemap would call them one.
 */
export const sectionTable = pgTable(
  "cv_section",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    /** `app.name` of the model. */
    model: text("model").notNull(),
    /** What the section is called without a heading of the owner's; written from the declaration at each start. */
    label: localizedColumn("label").notNull(),
    heading: localizedColumn("heading"),
    position: integer("position").notNull().default(0),
    is_hidden: boolean("is_hidden").notNull().default(false),
  },
  (table) => [
    unique("cv_section_model").on(table.model),
    index("cv_section_position").on(table.position, table.id),
  ],
);

export const section = declareModel({
  app: "cv",
  name: "section",
  order: 99,
  table: sectionTable,
  labels: { en: "CV section", tr: "CV bölümü" },
  pluralLabels: { en: "CV sections", tr: "CV bölümleri" },
  help: {
    en: "In which order your CV shows its sections, what their headings say, and which it leaves out. A section without items isn't shown anyway.",
    tr: "CV sayfasındaki bölümlerin sırası, başlıkları ve gösterilip gösterilmediği. İçi boş bir bölüm zaten görünmez.",
  },
  fields: {
    label: { kind: "localized_text", labels: { en: "Section", tr: "Bölüm" }, readOnly: true },
    heading: {
      kind: "localized_text",
      labels: { en: "Heading", tr: "Başlık" },
      help: {
        en: "In place of the section's name, in each language by itself. Empty: its name.",
        tr: "Bölümün adı yerine, her dilde ayrı ayrı. Boşsa bölümün adı yazılır.",
      },
      maxLength: 100,
    },
    is_hidden: {
      kind: "boolean",
      labels: { en: "Hidden", tr: "Gizli" },
      help: {
        en: "The CV leaves the section out, and so do its downloads and its data for programs. Projects stay on the developer hub.",
        tr: "Bölüm ne CV sayfasında ne indirilen dosyalarda ne de programlara verilen veride yer alır. Projeler geliştirici merkezinde kalır.",
      },
    },
    position: {
      kind: "order",
      labels: { en: "Position", tr: "Sıra" },
      help: { en: "The smallest number stands at the top.", tr: "En küçük sayı en üstte durur." },
    },
  },
  title: "label",
  list: ["label", "heading", "is_hidden", "position"],
  defaultSort: [{ field: "position", direction: "asc" }],
  // There is one of each.
  access: { ...STAFF_CONTENT, create: null, delete: null },
  sitePath: "/cv",
});
