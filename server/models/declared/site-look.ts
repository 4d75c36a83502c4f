import { sql } from "drizzle-orm";
import { pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { DEFAULT_ACCENT } from "#contract/site/accent.ts";
import { FONT_PAIRS, PICTURE_SHAPES } from "#contract/site/site.ts";
import { baseColumns } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";

/** How the site looks; without a row as the product does. One row at most. */
export const siteLookTable = pgTable(
  "site_look",
  {
    ...baseColumns(),
    accent: text("accent").notNull().default(DEFAULT_ACCENT),
    fonts: text("fonts", { enum: FONT_PAIRS }).notNull().default("newsreader"),
    picture_shape: text("picture_shape", { enum: PICTURE_SHAPES }).notNull().default("rounded"),
  },
  () => [uniqueIndex("site_look_singleton").on(sql`(true)`)],
);

export const siteLook = declareModel({
  app: "site",
  name: "look",
  order: 203,
  table: siteLookTable,
  labels: { en: "Look", tr: "Görünüm" },
  pluralLabels: { en: "Look", tr: "Görünüm" },
  help: {
    en: "The colour and fonts of every page, and the shape of your picture. The icon in tabs, the picture of shared links and mails follow. The console shows a new colour once it is loaded again.",
    tr: "Tüm sayfaların rengi ve yazı tipleri ile fotoğrafınızın biçimi. Sekmedeki simge, paylaşılan bağlantıların resmi ve e-postalar da bunlara uyar. Konsol yeni rengi, yeniden yüklendiğinde gösterir.",
  },
  fields: {
    accent: {
      kind: "accent",
      labels: { en: "Accent colour", tr: "Vurgu rengi" },
      help: {
        en: "Of links, buttons and what is selected.",
        tr: "Bağlantıların, düğmelerin ve seçili olanların rengi.",
      },
      required: false,
    },
    fonts: {
      kind: "choice",
      labels: { en: "Fonts", tr: "Yazı tipleri" },
      help: {
        en: "Text is in the font of the reader's system, which needs no download; the choice is about the headings.",
        tr: "Metinler, indirme gerektirmeyen sistem yazı tipiyle gösterilir; seçim başlıkları belirler.",
      },
      choices: [
        {
          value: "newsreader",
          labels: { en: "Newsreader (bookish)", tr: "Newsreader (kitap gibi)" },
        },
        {
          value: "grotesk",
          labels: { en: "Space Grotesk (geometric)", tr: "Space Grotesk (geometrik)" },
        },
        { value: "system", labels: { en: "The reader's own (plain)", tr: "Okuyanınki (sade)" } },
      ],
      required: false,
    },
    picture_shape: {
      kind: "choice",
      labels: { en: "Shape of your picture", tr: "Fotoğrafınızın biçimi" },
      choices: [
        { value: "rounded", labels: { en: "Round corners", tr: "Yuvarlak köşeli" } },
        { value: "circle", labels: { en: "Circle", tr: "Daire" } },
        { value: "square", labels: { en: "Square", tr: "Kare" } },
      ],
      required: false,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "accent",
  list: ["accent", "fonts", "picture_shape", "updated_at"],
  singleton: true,
  defaultSort: [],
  access: STAFF_CONTENT,
  sitePath: "/cv",
});
