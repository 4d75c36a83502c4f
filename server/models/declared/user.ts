import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { baseColumns, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, READ_ONLY, TIMESTAMP_FIELDS } from "../declare.ts";
import { accessLevelTable } from "./access-level.ts";

/** Accounts. Written through `accounts/service.ts` alone; the password hash is no declared field, so no generic door shows it. */
export const userTable = pgTable(
  "account_user",
  {
    ...baseColumns(),
    username: text("username").notNull(),
    email: text("email").notNull(),
    password_hash: text("password_hash").notNull(),
    first_name: text("first_name").notNull().default(""),
    last_name: text("last_name").notNull().default(""),
    access_level_id: integer("access_level_id")
      .notNull()
      .references(() => accessLevelTable.id),
    is_active: boolean("is_active").notNull().default(true),
    is_email_verified: boolean("is_email_verified").notNull().default(false),
    admin_theme: text("admin_theme", { enum: ["light", "dark", "auto"] })
      .notNull()
      .default("auto"),
    admin_language: text("admin_language", { enum: ["en", "tr"] })
      .notNull()
      .default("en"),
    last_login_at: timestamp("last_login_at", { withTimezone: true, mode: "string" }),
    search: searchColumn({ plain: ["username", "email", "first_name", "last_name"] }),
  },
  (table) => [
    uniqueIndex("account_user_username").on(sql`lower(${table.username})`),
    uniqueIndex("account_user_email").on(sql`lower(${table.email})`),
    index("account_user_access_level").on(table.access_level_id),
    searchIndex("account_user", table.search),
  ],
);

export const user = declareModel({
  app: "accounts",
  name: "user",
  table: userTable,
  labels: { en: "User", tr: "Kullanıcı" },
  pluralLabels: { en: "Users", tr: "Kullanıcılar" },
  help: { en: "People with an account.", tr: "Hesabı olan kişiler." },
  fields: {
    username: { kind: "text", labels: { en: "Username", tr: "Kullanıcı adı" }, maxLength: 30 },
    email: { kind: "email", labels: { en: "E-mail", tr: "E-posta" } },
    first_name: { kind: "text", labels: { en: "First name", tr: "Ad" }, maxLength: 100 },
    last_name: { kind: "text", labels: { en: "Last name", tr: "Soyad" }, maxLength: 100 },
    access_level_id: {
      kind: "relation",
      labels: { en: "Access level", tr: "Erişim düzeyi" },
      related: "accounts.access_level",
    },
    is_active: { kind: "boolean", labels: { en: "Active", tr: "Etkin" } },
    is_email_verified: { kind: "boolean", labels: { en: "E-mail verified", tr: "E-posta doğrulandı" } },
    last_login_at: { kind: "date_time", labels: { en: "Last log-in", tr: "Son giriş" }, readOnly: true },
    ...TIMESTAMP_FIELDS,
  },
  title: "username",
  list: ["username", "email", "access_level_id", "is_active", "last_login_at"],
  search: true,
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: READ_ONLY,
});
