import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { ADMISSIONS } from "#contract/accounts/admin-users.ts";
import { LIMITS } from "#contract/limits.ts";
import { baseColumns, searchColumn, searchIndex } from "../columns.ts";
import { declareModel, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { accessLevelTable } from "./access-level.ts";

/**
 * Accounts. Written through `accounts/service.ts` alone; the password hash is no declared field, so no generic endpoint shows
 * it.
 */
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
    /** Who isn't admitted has level 0 and no session. */
    admission: text("admission", { enum: ADMISSIONS }).notNull().default("admitted"),
    /** Staff have been written to about this person, who waits. */
    is_announced: boolean("is_announced").notNull().default(false),
    admin_theme: text("admin_theme", { enum: ["light", "dark", "auto"] })
      .notNull()
      .default("auto"),
    /** The language of the console and of mails; null until the person or their registration chose one. */
    admin_language: text("admin_language", { enum: ["en", "tr"] }),
    bio: text("bio").notNull().default(""),
    /** Keys of pictures in the storage of accounts, null while there is none. */
    avatar: text("avatar"),
    cover: text("cover"),
    voice_preferences: jsonb("voice_preferences").$type<object>().notNull().default({}),
    notification_preferences: jsonb("notification_preferences").$type<object>().notNull().default({}),
    privacy_settings: jsonb("privacy_settings").$type<object>().notNull().default({}),
    /** What the person says of themselves in voice rooms (`PUT /voice/users/status`). */
    voice_status: text("voice_status", { enum: ["online", "away", "busy", "offline"] })
      .notNull()
      .default("online"),
    /** A new address that waits for its code; `email` stays until then. */
    pending_email: text("pending_email"),
    /** Held by the browser that registered; null once the address is proven, or where an admin made the account. */
    registration_ticket_hash: text("registration_ticket_hash"),
    /** Until when the console stays open without a second factor; null while none is owed. */
    second_factor_due_at: timestamp("second_factor_due_at", { withTimezone: true, mode: "string" }),
    /** Counts how often all devices were forgotten: their marks hold the number (`accounts/sessions/devices.ts`). */
    device_epoch: integer("device_epoch").notNull().default(0),
    last_admin_login_at: timestamp("last_admin_login_at", { withTimezone: true, mode: "string" }),
    last_login_at: timestamp("last_login_at", { withTimezone: true, mode: "string" }),
    search: searchColumn({ plain: ["username", "email", "first_name", "last_name"] }),
  },
  (table) => [
    uniqueIndex("account_user_username").on(sql`lower(${table.username})`),
    // A person who hasn't proven an address holds none: several may claim one, and a registration never shows that it is taken.
    uniqueIndex("account_user_email").on(sql`lower(${table.email})`).where(sql`${table.is_email_verified}`),
    index("account_user_claimed_email").on(sql`lower(${table.email})`),
    index("account_user_created").on(table.created_at.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index("account_user_access_level").on(table.access_level_id),
    index("account_user_admission")
      .on(table.admission, table.id)
      .where(sql`${table.admission} <> 'admitted'`),
    searchIndex("account_user", table.search),
    // The daily sweep of people's pictures asks by each picture's name.
    index("account_user_avatar").on(table.avatar).where(sql`${table.avatar} IS NOT NULL`),
    index("account_user_cover").on(table.cover).where(sql`${table.cover} IS NOT NULL`),
    // The search for people looks at these beside the index above, which doesn't know the name that somebody chose for others.
    index("account_user_shown_name")
      .on(table.id)
      .where(sql`${table.privacy_settings} ->> 'shown_name' <> ''`),
  ],
);

export const user = declareModel({
  app: "accounts",
  name: "user",
  order: 700,
  table: userTable,
  labels: { en: "User", tr: "Kullanıcı" },
  pluralLabels: { en: "Users", tr: "Kullanıcılar" },
  help: {
    en: "People with an account, what they may do, and whether they may log in.",
    tr: "Hesabı olan kişiler, yapabilecekleri ve giriş yapıp yapamayacakları.",
  },
  fields: {
    username: {
      kind: "text",
      labels: { en: "Username", tr: "Kullanıcı adı" },
      help: { en: "Letters, digits and underscore.", tr: "Harf, rakam ve alt çizgi." },
      maxLength: LIMITS.usernameMaxChars,
    },
    email: {
      kind: "email",
      labels: { en: "Email", tr: "E-posta" },
      help: { en: "Codes and notices go there.", tr: "Kodlar ve bildirimler buraya gider." },
    },
    first_name: {
      kind: "text",
      labels: { en: "First name", tr: "Ad" },
      maxLength: LIMITS.personNameMaxChars,
    },
    last_name: {
      kind: "text",
      labels: { en: "Last name", tr: "Soyad" },
      maxLength: LIMITS.personNameMaxChars,
    },
    access_level_id: {
      kind: "relation",
      labels: { en: "Access level", tr: "Erişim düzeyi" },
      related: "accounts.access_level",
      help: {
        en: "What the person may do. Nobody gives a level above their own.",
        tr: "Kişinin yapabilecekleri. Kimse kendi düzeyinden yükseğini veremez.",
      },
    },
    access_level: {
      kind: "computed",
      of: "integer",
      sql: "(SELECT l.level FROM access_level l WHERE l.id = {row}.access_level_id)",
      labels: { en: "Level", tr: "Düzey" },
      help: { en: "The number of the access level.", tr: "Erişim düzeyinin numarası." },
    },
    is_staff: {
      kind: "computed",
      of: "boolean",
      sql: `(SELECT l.level >= ${ACCESS_LEVEL.admin} FROM access_level l WHERE l.id = {row}.access_level_id)`,
      labels: { en: "Staff", tr: "Yönetici" },
      help: { en: "Level 10 or above: opens this console.", tr: "Düzey 10 ve üstü: bu konsolu açabilir." },
    },
    is_superuser: {
      kind: "computed",
      of: "boolean",
      sql: `(SELECT l.level >= ${ACCESS_LEVEL.superuser} FROM access_level l WHERE l.id = {row}.access_level_id)`,
      labels: { en: "Superuser", tr: "Süper kullanıcı" },
      help: { en: "Level 999: may do everything.", tr: "Düzey 999: her şeyi yapabilir." },
    },
    is_active: {
      kind: "boolean",
      labels: { en: "Active", tr: "Etkin" },
      help: {
        en: "Off: suspended, logged out everywhere.",
        tr: "Kapalıysa hesap askıdadır, her yerde oturumu kapanır.",
      },
    },
    is_email_verified: {
      kind: "boolean",
      labels: { en: "Email verified", tr: "E-posta doğrulandı" },
      help: {
        en: "The person has shown that the address is theirs.",
        tr: "Adresin kendisine ait olduğunu göstermiştir.",
      },
    },
    admission: {
      kind: "choice",
      labels: { en: "Admission", tr: "Kabul" },
      help: {
        en: "Who waits can't log in until you admit or refuse them. A mail tells them, unless they are suspended or mail to them is stopped. Nobody else can be refused.",
        tr: "Bekleyen kişi, siz kabul ya da reddedene kadar giriş yapamaz. Karar e-postayla bildirilir; kişi askıdaysa veya adresine gönderim durdurulmuşsa bildirilmez. Başkaları reddedilemez.",
      },
      choices: [
        { value: "admitted", labels: { en: "Admitted", tr: "Kabul edildi" } },
        { value: "waiting", labels: { en: "Waiting", tr: "Bekliyor" } },
        { value: "refused", labels: { en: "Refused", tr: "Reddedildi" } },
      ],
    },
    last_login_at: {
      kind: "date_time",
      labels: { en: "Last log-in", tr: "Son giriş" },
      help: { en: "Empty: never.", tr: "Boşsa hiç giriş yapmamıştır." },
      readOnly: true,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "username",
  list: ["username", "email", "access_level_id", "is_active", "last_login_at"],
  search: ["username", "email", "first_name", "last_name"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: STAFF_CONTENT,
  stepUp: {
    create: true,
    // What gives or takes rights, what says where codes go, and what ends sessions.
    update: ["access_level_id", "admission", "email", "is_email_verified", "is_active"],
    delete: true,
    export: true,
  },
  hasWriter: true,
  // Visitors never learn what somebody logs in with: who shows no profile, or has no name, is nobody to them (decision 24).
  site: {
    where: `{row}.is_active AND {row}.is_email_verified AND coalesce(({row}.privacy_settings ->> 'show_profile')::boolean, true)
      AND EXISTS (SELECT FROM access_level l WHERE l.id = {row}.access_level_id AND l.level >= ${ACCESS_LEVEL.user})
      AND btrim({row}.first_name || ' ' || {row}.last_name) <> ''`,
    title: "btrim({row}.first_name || ' ' || {row}.last_name)",
  },
});
