import { sql } from "drizzle-orm";
import { boolean, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { baseColumns } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";

export const siteSettingsTable = pgTable(
  "site_settings",
  {
    ...baseColumns(),
    author: text("author"),
    email: text("email"),
    github_url: text("github_url"),
    linkedin_url: text("linkedin_url"),
    steam_url: text("steam_url"),
    map_search_url: text("map_search_url").notNull().default("https://www.openstreetmap.org/search?query="),
    shows_voice_chat: boolean("shows_voice_chat").notNull().default(true),
  },
  // One site: a second row is refused by the database itself.
  () => [uniqueIndex("site_settings_singleton").on(sql`(true)`)],
);

const FROM_CV = { en: "Empty: taken from the CV.", tr: "Boşsa CV'den alınır." };

export const siteSettings = declareModel({
  app: "site",
  name: "settings",
  order: 200,
  table: siteSettingsTable,
  labels: { en: "Site settings", tr: "Site ayarları" },
  pluralLabels: { en: "Site settings", tr: "Site ayarları" },
  help: {
    en: "Whose site it is, the links in its footer, and what the developer hub shows.",
    tr: "Sitenin sahibi, alt bilgideki bağlantılar ve geliştirici merkezinde gösterilenler.",
  },
  fields: {
    author: { kind: "text", labels: { en: "Author", tr: "Yazar" }, help: FROM_CV, maxLength: 200 },
    email: { kind: "email", labels: { en: "Contact e-mail", tr: "İletişim e-postası" }, help: FROM_CV },
    github_url: { kind: "url", labels: { en: "GitHub", tr: "GitHub" }, help: FROM_CV },
    linkedin_url: { kind: "url", labels: { en: "LinkedIn", tr: "LinkedIn" }, help: FROM_CV },
    steam_url: { kind: "url", labels: { en: "Steam", tr: "Steam" }, help: FROM_CV },
    map_search_url: {
      kind: "url",
      labels: { en: "Map search", tr: "Harita araması" },
      help: {
        en: "The address of your place is added at its end.",
        tr: "Yaşadığınız yerin adı bunun sonuna eklenir.",
      },
      required: false,
    },
    shows_voice_chat: {
      kind: "boolean",
      labels: { en: "Voice Chat in the developer hub", tr: "Geliştirici merkezinde Sesli Sohbet" },
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "author",
  list: ["author", "email", "github_url", "linkedin_url", "shows_voice_chat"],
  singleton: true,
  defaultSort: [],
  access: STAFF_CONTENT,
  sitePath: "/dev",
  site: {},
});
