import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { baseColumns } from "../columns.ts";
import { declareModel, READ_ONLY } from "../declare.ts";

const moment = (name: string) =>
  timestamp(name, { withTimezone: true, mode: "string" }).notNull().defaultNow();

/** What browsers would not load because of the pages' policy: one row for each kind, counted. */
export const siteCspReportTable = pgTable(
  "site_csp_report",
  {
    ...baseColumns(),
    directive: text("directive").notNull(),
    blocked: text("blocked").notNull(),
    page: text("page").notNull(),
    count: integer("count").notNull().default(1),
    first_seen_at: moment("first_seen_at"),
    last_seen_at: moment("last_seen_at"),
  },
  (table) => [
    unique("site_csp_report_kind").on(table.directive, table.blocked, table.page),
    index("site_csp_report_last_seen").on(
      sql`${table.last_seen_at} DESC NULLS FIRST`,
      sql`${table.id} DESC NULLS FIRST`,
    ),
  ],
);

export const siteCspReport = declareModel({
  app: "site",
  name: "csp_report",
  order: 850,
  table: siteCspReportTable,
  labels: { en: "Policy report", tr: "İlke raporu" },
  pluralLabels: { en: "Policy reports", tr: "İlke raporları" },
  help: {
    en: "What browsers did not load or run because the pages' policy (Content-Security-Policy) forbids it: a sign of an attack, of a browser extension, or of a fault of the site. Anybody can send one. They go 30 days after they were last seen.",
    tr: "Sayfaların ilkesi (Content-Security-Policy) izin vermediği için tarayıcıların yüklemediği veya çalıştırmadığı şeyler: bir saldırının, bir tarayıcı eklentisinin ya da sitedeki bir hatanın işareti olabilir. Herkes rapor gönderebilir. Son görülmelerinden 30 gün sonra silinirler.",
  },
  fields: {
    directive: { kind: "text", labels: { en: "Rule", tr: "Kural" } },
    blocked: {
      kind: "text",
      labels: { en: "Blocked", tr: "Engellenen" },
      help: {
        en: "The site that it would have come from, or inline.",
        tr: "Geleceği site veya inline (sayfanın içinde).",
      },
    },
    page: { kind: "text", labels: { en: "Page", tr: "Sayfa" } },
    count: { kind: "integer", labels: { en: "Times", tr: "Kez" } },
    first_seen_at: { kind: "date_time", labels: { en: "First seen", tr: "İlk görülme" } },
    last_seen_at: { kind: "date_time", labels: { en: "Last seen", tr: "Son görülme" } },
  },
  title: "directive",
  list: ["directive", "blocked", "page", "count", "last_seen_at"],
  defaultSort: [{ field: "last_seen_at", direction: "desc" }],
  access: READ_ONLY,
});
