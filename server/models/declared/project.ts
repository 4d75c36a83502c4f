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
import { storedFileTable } from "./stored-file.ts";

export const projectTable = pgTable(
  "cv_project",
  {
    ...baseColumns(),
    name: localizedColumn("name"),
    entity: localizedColumn("entity"),
    type: localizedColumn("type"),
    roles: localizedListColumn("roles"),
    url: text("url"),
    start_date: text("start_date"),
    end_date: text("end_date"),
    description: localizedColumn("description"),
    highlights: localizedListColumn("highlights"),
    keywords: localizedListColumn("keywords"),
    picture: text("picture").references(() => storedFileTable.key),
    ...itemColumns(),
    search: searchColumn({ localized: ["name", "entity", "description"] }),
  },
  (table) => [
    index("cv_project_position").on(table.position, table.id),
    searchIndex("cv_project", table.search),
  ],
);

export const project = declareModel({
  app: "cv",
  name: "project",
  order: 70,
  table: projectTable,
  labels: { en: "Project", tr: "Proje" },
  pluralLabels: { en: "Projects", tr: "Projeler" },
  help: { en: "What you made, alone or with others.", tr: "Tek başınıza veya başkalarıyla yaptıklarınız." },
  fields: {
    name: { kind: "localized_text", labels: { en: "Name", tr: "Ad" }, maxLength: 300, required: true },
    entity: {
      kind: "localized_text",
      labels: { en: "For or with", tr: "Kurum" },
      help: {
        en: "The company or group that it belongs to.",
        tr: "Projenin ait olduğu şirket veya topluluk.",
      },
      maxLength: 300,
    },
    type: {
      kind: "localized_text",
      labels: { en: "Type", tr: "Tür" },
      help: {
        en: "For example: application, talk, volunteering.",
        tr: "Örneğin: uygulama, konuşma, gönüllülük.",
      },
      maxLength: 100,
    },
    roles: {
      kind: "localized_list",
      labels: { en: "Roles", tr: "Görevler" },
      help: { en: "What you were there.", tr: "Projedeki görevleriniz." },
      maxLength: 200,
    },
    url: CV_FIELDS.url,
    start_date: CV_FIELDS.start_date,
    end_date: CV_FIELDS.end_date,
    description: CV_FIELDS.description,
    highlights: CV_FIELDS.highlights,
    keywords: CV_FIELDS.keywords,
    picture: {
      kind: "image",
      labels: { en: "Picture", tr: "Resim" },
      help: {
        en: "On the project's card in the developer hub. Wide pictures fit best: PNG, JPEG, WebP or SVG, up to 20 MB.",
        tr: "Projenin geliştirici merkezindeki kartında gösterilir. Geniş resimler en iyi durur: PNG, JPEG, WebP veya SVG, en çok 20 MB.",
      },
      accept: ["image/png", "image/jpeg", "image/webp", "image/svg+xml"],
    },
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "name",
  list: ["name", "entity", "start_date", "end_date", "position"],
  search: ["name", "entity", "description"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: {
    section: { order: 500, line: ["roles", "entity", "type"], words: ["keywords"], omit: ["picture"] },
    // On the developer hub.
    isElsewhere: true,
  },
  resume: {
    at: "projects",
    keys: {
      name: "name",
      entity: "entity",
      type: "type",
      roles: "roles",
      url: "url",
      start_date: "startDate",
      end_date: "endDate",
      description: "description",
      highlights: "highlights",
      keywords: "keywords",
    },
    names: ["name", "entity"],
  },
});
