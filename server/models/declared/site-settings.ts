import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { baseColumns } from "../columns.ts";
import { declareModel, type FieldDeclaration, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { sitePageTable } from "./site-page.ts";

const FRONTS = ["automatic", "cv", "dev"] as const;

const frontColumn = (name: string) => text(name, { enum: FRONTS }).notNull().default("automatic");
const frontPageColumn = (name: string) =>
  integer(name).references(() => sitePageTable.id, { onDelete: "set null" });

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
    front_en: frontColumn("front_en"),
    front_page_en_id: frontPageColumn("front_page_en_id"),
    front_tr: frontColumn("front_tr"),
    front_page_tr_id: frontPageColumn("front_page_tr_id"),
  },
  (table) => [
    // One site: a second row is refused by the database itself.
    uniqueIndex("site_settings_singleton").on(sql`(true)`),
    index("site_settings_front_page_en").on(table.front_page_en_id),
    index("site_settings_front_page_tr").on(table.front_page_tr_id),
  ],
);

const FROM_CV = { en: "Empty: taken from the CV.", tr: "Boşsa CV'den alınır." };

function frontField(en: string, tr: string): FieldDeclaration {
  return {
    kind: "choice",
    labels: { en: `Front page (${en})`, tr: `Ana sayfa (${tr})` },
    help: {
      en: "What / shows. Automatic: the developer hub once the CV has projects, before that the CV.",
      tr: "/ adresinde gösterilen sayfa. Otomatik: CV'de proje varsa geliştirici merkezi, yoksa CV.",
    },
    choices: [
      { value: "automatic", labels: { en: "Automatic", tr: "Otomatik" } },
      { value: "cv", labels: { en: "CV", tr: "CV" } },
      { value: "dev", labels: { en: "Developer hub", tr: "Geliştirici merkezi" } },
    ],
    required: false,
  };
}

function frontPageField(column: string, en: string, tr: string): FieldDeclaration {
  return {
    kind: "relation",
    column,
    related: "site.page",
    labels: { en: `A page as the front page (${en})`, tr: `Ana sayfa olarak bir sayfa (${tr})` },
    help: {
      en: "In place of the choice above. While it is hidden, and once it is deleted, that choice counts again.",
      tr: "Yukarıdaki seçimin yerine geçer. Gizliyken ve silindikten sonra yine o seçim geçerlidir.",
    },
  };
}

const isHiddenSql = (column: string) =>
  `EXISTS (SELECT FROM site_page p WHERE p.id = {row}.${column} AND p.is_hidden)`;

export const siteSettings = declareModel({
  app: "site",
  name: "settings",
  order: 200,
  table: siteSettingsTable,
  labels: { en: "Site settings", tr: "Site ayarları" },
  pluralLabels: { en: "Site settings", tr: "Site ayarları" },
  help: {
    en: "Whose site it is, the links in its footer, its front page, and what the developer hub shows.",
    tr: "Sitenin sahibi, alt bilgideki bağlantılar, ana sayfa ve geliştirici merkezinde gösterilenler.",
  },
  fields: {
    author: { kind: "text", labels: { en: "Author", tr: "Site sahibi" }, help: FROM_CV, maxLength: 200 },
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
    front_en: frontField("English", "İngilizce"),
    front_page_en: frontPageField("front_page_en_id", "English", "İngilizce"),
    front_tr: frontField("Turkish", "Türkçe"),
    front_page_tr: frontPageField("front_page_tr_id", "Turkish", "Türkçe"),
    front_state: {
      kind: "computed",
      of: "choice",
      labels: { en: "Front page now", tr: "Ana sayfanın durumu" },
      sql: `(CASE WHEN ${isHiddenSql("front_page_en_id")} AND ${isHiddenSql("front_page_tr_id")} THEN 'both'
        WHEN ${isHiddenSql("front_page_en_id")} THEN 'en' WHEN ${isHiddenSql("front_page_tr_id")} THEN 'tr' ELSE 'chosen' END)`,
      choices: [
        { value: "chosen", labels: { en: "As chosen", tr: "Seçildiği gibi" } },
        {
          value: "en",
          labels: {
            en: "English: the chosen page is hidden, so the choice above it counts",
            tr: "İngilizce: seçilen sayfa gizli, üstündeki seçim geçerli",
          },
        },
        {
          value: "tr",
          labels: {
            en: "Turkish: the chosen page is hidden, so the choice above it counts",
            tr: "Türkçe: seçilen sayfa gizli, üstündeki seçim geçerli",
          },
        },
        {
          value: "both",
          labels: {
            en: "The chosen pages are hidden, so the choices above them count",
            tr: "Seçilen sayfalar gizli, üstlerindeki seçimler geçerli",
          },
        },
      ],
      readOnly: true,
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
