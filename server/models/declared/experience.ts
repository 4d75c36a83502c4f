import { index, pgTable, text } from "drizzle-orm/pg-core";
import {
  baseColumns,
  itemColumns,
  localizedColumn,
  localizedListColumn,
  searchColumn,
  searchIndex,
} from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { CV_FIELDS, ITEM_FIELDS } from "../item-fields.ts";

export const experienceTable = pgTable(
  "cv_experience",
  {
    ...baseColumns(),
    role: localizedColumn("role"),
    company: localizedColumn("company"),
    url: text("url"),
    location: localizedColumn("location"),
    start_date: text("start_date"),
    end_date: text("end_date"),
    company_description: localizedColumn("company_description"),
    description: localizedColumn("description"),
    highlights: localizedListColumn("highlights"),
    ...itemColumns(),
    search: searchColumn({ localized: ["role", "company", "description"] }),
  },
  (table) => [
    index("cv_experience_position").on(table.position, table.id),
    searchIndex("cv_experience", table.search),
  ],
);

export const experience = declareModel({
  app: "cv",
  name: "experience",
  order: 20,
  table: experienceTable,
  labels: { en: "Experience", tr: "Deneyim" },
  pluralLabels: { en: "Experience", tr: "Deneyimler" },
  help: {
    en: "Jobs on the CV page, newest first by position.",
    tr: "CV sayfasındaki işler; sıraya göre en yenisi başta.",
  },
  fields: {
    role: { kind: "localized_text", labels: { en: "Role", tr: "Görev" }, maxLength: 200 },
    company: {
      kind: "localized_text",
      labels: { en: "Company", tr: "Şirket" },
      maxLength: 200,
      required: true,
    },
    url: CV_FIELDS.url,
    location: { kind: "localized_text", labels: { en: "Location", tr: "Konum" }, maxLength: 200 },
    start_date: CV_FIELDS.start_date,
    end_date: CV_FIELDS.end_date,
    company_description: {
      kind: "localized_text",
      labels: { en: "About the company", tr: "Şirket hakkında" },
      help: { en: "For example: social media company.", tr: "Örneğin: sosyal medya şirketi." },
      maxLength: 1000,
    },
    description: CV_FIELDS.description,
    highlights: CV_FIELDS.highlights,
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "company",
  list: ["company", "role", "start_date", "end_date", "position"],
  search: ["role", "company", "description"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: {
    section: {
      order: 200,
      heading: { en: "Experience", tr: "Deneyim" },
      title: "role",
      line: ["company", "location"],
    },
  },
  resume: {
    at: "work",
    keys: {
      role: "position",
      company: "name",
      url: "url",
      location: "location",
      start_date: "startDate",
      end_date: "endDate",
      company_description: "description",
      description: "summary",
      highlights: "highlights",
    },
    olderKeys: { company: "company", url: "website" },
    names: ["company", "role"],
  },
});
