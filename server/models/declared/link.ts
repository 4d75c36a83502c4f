import { index, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, itemColumns } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { ITEM_FIELDS } from "../item-fields.ts";

export const linkTable = pgTable(
  "cv_link",
  {
    ...baseColumns(),
    network: text("network"),
    url: text("url"),
    username: text("username"),
    ...itemColumns(),
  },
  (table) => [index("cv_link_position").on(table.position, table.id)],
);

export const link = declareModel({
  app: "cv",
  name: "link",
  order: 60,
  table: linkTable,
  labels: { en: "Link", tr: "Bağlantı" },
  pluralLabels: { en: "Links", tr: "Bağlantılar" },
  help: {
    en: "Your pages elsewhere: GitHub, LinkedIn and others.",
    tr: "Başka sitelerdeki sayfalarınız: GitHub, LinkedIn ve diğerleri.",
  },
  fields: {
    network: { kind: "text", labels: { en: "Network", tr: "Ağ" }, maxLength: 100, required: true },
    url: { kind: "url", labels: { en: "Address", tr: "Bağlantı" } },
    username: { kind: "text", labels: { en: "Username", tr: "Kullanıcı adı" }, maxLength: 200 },
    ...ITEM_FIELDS,
    ...TIMESTAMP_FIELDS,
  },
  title: "network",
  list: ["network", "username", "url", "position"],
  defaultSort: [{ field: "position", direction: "asc" }],
  access: STAFF_CONTENT,
  sitePath: "/cv",
  site: {},
  resume: {
    at: "basics.profiles",
    keys: { network: "network", url: "url", username: "username" },
    names: ["network"],
  },
});
