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

export const volunteerTable = pgTable(
  "cv_volunteer",
  {
    ...baseColumns(),
    organization: localizedColumn("organization"),
    role: localizedColumn("role"),
    url: text("url"),
    start_date: text("start_date"),
    end_date: text("end_date"),
    description: localizedColumn("description"),
    highlights: localizedListColumn("highlights"),
    ...itemColumns(),
    search: searchColumn({ localized: ["organization", "role", "description"] }),
  },
  (table) => [
    index("cv_volunteer_position").on(table.position, table.id),
    searchIndex("cv_volunteer", table.search),
  ],
);

export const volunteer = declareModel({
  app: "cv",
  name: "volunteer",
  order: 75,
  table: volunteerTable,
  labels: { en: "Volunteer work", tr: "Gönüllü çalışma" },
  pluralLabels: { en: "Volunteering", tr: "Gönüllü çalışmalar" },
  help: { en: "What you do without pay, and where.", tr: "Karşılıksız yaptıklarınız ve yapıldıkları yer." },
  fields: {
    organization: {
      kind: "localized_text",
      labels: { en: "Organization", tr: "Kuruluş" },
      maxLength: 300,
      required: true,
    },
    role: { kind: "localized_text", labels: { en: "Role", tr: "Görev" }, maxLength: 200 },
    url: CV_FIELDS.url,
    start_date: CV_FIELDS.start_date,
    end_date: CV_FIELDS.end_date,
    description: CV_FIELDS.description,
    highlights: CV_FIELDS.highlights,
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "organization",
  list: ["organization", "role", "start_date", "end_date", "position"],
  search: ["organization", "role", "description"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: { section: { order: 600, title: "role", line: ["organization"], person: "memberOf" } },
  resume: {
    at: "volunteer",
    keys: {
      organization: "organization",
      role: "position",
      url: "url",
      start_date: "startDate",
      end_date: "endDate",
      description: "summary",
      highlights: "highlights",
    },
    olderKeys: { url: "website" },
    names: ["organization", "role"],
  },
});
