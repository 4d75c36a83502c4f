import { sql } from "drizzle-orm";
import { pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { baseColumns, extraColumn, localizedColumn } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { EXTRA_FIELD } from "../item-fields.ts";
import { storedFileTable } from "./stored-file.ts";

export const profileTable = pgTable(
  "cv_profile",
  {
    ...baseColumns(),
    name: text("name").notNull(),
    title: localizedColumn("title"),
    tagline: localizedColumn("tagline"),
    description: localizedColumn("description"),
    photo: text("photo").references(() => storedFileTable.key),
    email: text("email"),
    phone: text("phone"),
    website: text("website"),
    district: localizedColumn("district"),
    province: localizedColumn("province"),
    street: localizedColumn("street"),
    postal_code: text("postal_code"),
    country: text("country"),
    extra: extraColumn(),
  },
  // One CV: a second row is refused by the database itself.
  () => [uniqueIndex("cv_profile_singleton").on(sql`(true)`)],
);

export const profile = declareModel({
  app: "cv",
  name: "profile",
  order: 10,
  table: profileTable,
  labels: { en: "CV profile", tr: "CV profili" },
  pluralLabels: { en: "CV profile", tr: "CV profili" },
  help: {
    en: "Who the CV is about: name, title, photo, address.",
    tr: "CV'nin sahibi: ad, unvan, fotoğraf, adres.",
  },
  fields: {
    name: { kind: "text", labels: { en: "Name", tr: "Ad" }, maxLength: 200 },
    title: { kind: "localized_text", labels: { en: "Title", tr: "Unvan" }, maxLength: 250 },
    tagline: { kind: "localized_text", labels: { en: "Tagline", tr: "Slogan" }, maxLength: 300 },
    description: {
      kind: "localized_long_text",
      labels: { en: "Description", tr: "Tanıtım" },
      maxLength: 5000,
    },
    photo: {
      kind: "image",
      labels: { en: "Photo", tr: "Fotoğraf" },
      help: { en: "PNG, JPEG or WebP.", tr: "PNG, JPEG veya WebP." },
      accept: ["image/png", "image/jpeg", "image/webp"],
    },
    email: {
      kind: "email",
      labels: { en: "Email", tr: "E-posta" },
      help: { en: "Shown on the page.", tr: "Sayfada gösterilir." },
    },
    phone: {
      kind: "text",
      labels: { en: "Phone", tr: "Telefon" },
      help: { en: "Kept for /cv.json; not shown on the page.", tr: "/cv.json içindir; sayfada gösterilmez." },
      maxLength: 50,
    },
    website: { kind: "url", labels: { en: "Website", tr: "Web sitesi" } },
    district: {
      kind: "localized_text",
      labels: { en: "District or city", tr: "İlçe veya şehir" },
      maxLength: 100,
    },
    province: {
      kind: "localized_text",
      labels: { en: "Province or region", tr: "İl veya bölge" },
      maxLength: 100,
    },
    street: {
      kind: "localized_long_text",
      labels: { en: "Street address", tr: "Açık adres" },
      help: { en: "Shown on the page.", tr: "Sayfada gösterilir." },
      maxLength: 500,
    },
    postal_code: {
      kind: "text",
      labels: { en: "Postal code", tr: "Posta kodu" },
      help: { en: "Shown on the page.", tr: "Sayfada gösterilir." },
      maxLength: 50,
    },
    country: {
      kind: "text",
      labels: { en: "Country", tr: "Ülke" },
      help: { en: "Its code of two letters, such as TR.", tr: "İki harfli kodu, örneğin TR." },
      maxLength: 100,
    },
    extra: EXTRA_FIELD,
    ...TIMESTAMP_FIELDS,
  },
  title: "name",
  list: ["name", "title", "tagline", "photo", "email"],
  singleton: true,
  defaultSort: [],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: {},
  resume: {
    at: null,
    keys: {
      name: "basics.name",
      title: "basics.label",
      tagline: "basics.tagline",
      description: "basics.summary",
      photo: "basics.image",
      email: "basics.email",
      phone: "basics.phone",
      website: "basics.url",
      district: "basics.location.city",
      province: "basics.location.region",
      street: "basics.location.address",
      postal_code: "basics.location.postalCode",
      country: "basics.location.countryCode",
    },
    olderKeys: { photo: "basics.picture", website: "basics.website" },
    names: ["name"],
  },
});
