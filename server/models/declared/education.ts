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

export const educationTable = pgTable(
  "cv_education",
  {
    ...baseColumns(),
    institution: localizedColumn("institution"),
    degree: localizedColumn("degree"),
    area: localizedColumn("area"),
    url: text("url"),
    start_date: text("start_date"),
    end_date: text("end_date"),
    score: localizedColumn("score"),
    courses: localizedListColumn("courses"),
    ...itemColumns(),
    search: searchColumn({ localized: ["institution", "degree", "area"] }),
  },
  (table) => [
    index("cv_education_position").on(table.position, table.id),
    searchIndex("cv_education", table.search),
  ],
);

export const education = declareModel({
  app: "cv",
  name: "education",
  order: 30,
  table: educationTable,
  labels: { en: "Education", tr: "Eğitim" },
  pluralLabels: { en: "Education", tr: "Eğitimler" },
  help: { en: "Schools and degrees on the CV page.", tr: "CV sayfasındaki okullar ve dereceler." },
  fields: {
    institution: {
      kind: "localized_text",
      labels: { en: "Institution", tr: "Kurum" },
      maxLength: 200,
      required: true,
    },
    degree: {
      kind: "localized_text",
      labels: { en: "Degree", tr: "Derece" },
      help: { en: "For example: Bachelor.", tr: "Örneğin: Lisans." },
      maxLength: 200,
    },
    area: {
      kind: "localized_text",
      labels: { en: "Area", tr: "Alan" },
      help: { en: "For example: Computer Engineering.", tr: "Örneğin: Bilgisayar Mühendisliği." },
      maxLength: 200,
    },
    url: CV_FIELDS.url,
    start_date: CV_FIELDS.start_date,
    end_date: CV_FIELDS.end_date,
    score: {
      kind: "localized_text",
      labels: { en: "Grade", tr: "Not ortalaması" },
      help: { en: "For example: 3.4/4.", tr: "Örneğin: 3,4/4." },
      maxLength: 200,
    },
    courses: {
      kind: "localized_list",
      labels: { en: "Courses", tr: "Dersler" },
      maxLength: 500,
    },
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "institution",
  list: ["institution", "degree", "area", "end_date", "position"],
  search: ["institution", "degree", "area"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: {
    section: {
      order: 300,
      heading: { en: "Education", tr: "Eğitim" },
      title: "degree",
      line: ["institution"],
    },
  },
  resume: {
    at: "education",
    keys: {
      institution: "institution",
      url: "url",
      area: "area",
      degree: "studyType",
      start_date: "startDate",
      end_date: "endDate",
      score: "score",
      courses: "courses",
    },
    olderKeys: { url: "website", score: "gpa" },
    names: ["institution", "degree", "area"],
  },
});
