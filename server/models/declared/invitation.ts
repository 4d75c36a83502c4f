import { boolean, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { baseColumns } from "../columns.ts";
import { declareModel, ME, STAFF_CONTENT, TIMESTAMP_FIELDS } from "../declare.ts";
import { accessLevelTable } from "./access-level.ts";
import { userTable } from "./user.ts";

/** Links with which people register. Written by a writer of accounts, which makes the link. */
export const invitationTable = pgTable(
  "account_invitation",
  {
    ...baseColumns(),
    note: text("note"),
    /** Ends with the secret, in clear: whoever sees the row may give the level anyhow. */
    link: text("link").notNull(),
    /** The secret alone, by which the row is found. */
    token: text("token").notNull().unique("account_invitation_token"),
    access_level_id: integer("access_level_id")
      .notNull()
      .references(() => accessLevelTable.id),
    uses_max: integer("uses_max").notNull().default(1),
    /** Accounts whose address was proven; one that is deleted gives no use back. */
    used_count: integer("used_count").notNull().default(0),
    expires_at: timestamp("expires_at", { withTimezone: true, mode: "string" }).notNull(),
    is_revoked: boolean("is_revoked").notNull().default(false),
    /** Null: they are gone, and so is what they vouched for. */
    created_by_id: integer("created_by_id").references(() => userTable.id, { onDelete: "set null" }),
  },
  (table) => [
    index("account_invitation_access_level").on(table.access_level_id),
    index("account_invitation_created_by").on(table.created_by_id),
  ],
);

export const invitation = declareModel({
  app: "accounts",
  name: "invitation",
  order: 730,
  table: invitationTable,
  labels: { en: "Invitation", tr: "Davet" },
  pluralLabels: { en: "Invitations", tr: "Davetler" },
  help: {
    en: "Links with which people register: for how many, until when, and what they may do then. Each shows who came with it.",
    tr: "Kişilerin kayıt olduğu bağlantılar: kaç kişi için, ne zamana kadar ve hangi yetkiyle. Her biri onunla kimlerin geldiğini gösterir.",
  },
  fields: {
    note: {
      kind: "text",
      labels: { en: "For whom", tr: "Kimin için" },
      help: { en: "Shown here alone.", tr: "Yalnızca burada görünür." },
      maxLength: 200,
      required: false,
    },
    access_level_id: {
      kind: "relation",
      labels: { en: "Access level", tr: "Erişim düzeyi" },
      related: "accounts.access_level",
      help: {
        en: "Nobody gives a level above their own. It holds as long as you may give it.",
        tr: "Kimse kendi düzeyinden yükseğini veremez. Siz verebildiğiniz sürece geçerlidir.",
      },
    },
    uses_max: {
      kind: "integer",
      range: { min: 1, max: 1000 },
      required: false,
      labels: { en: "How many people", tr: "Kaç kişi" },
    },
    expires_at: {
      kind: "date_time",
      required: false,
      labels: { en: "Good until", tr: "Geçerlilik sonu" },
      help: { en: "Empty: for 14 days.", tr: "Boşsa 14 gün." },
    },
    is_revoked: {
      kind: "boolean",
      labels: { en: "Revoked", tr: "Geri çekildi" },
      help: {
        en: "The link lets nobody in any more. Who came with it stays.",
        tr: "Bağlantı artık kimseyi içeri almaz. Onunla gelenler kalır.",
      },
    },
    link: {
      kind: "text",
      labels: { en: "Link", tr: "Bağlantı" },
      help: {
        en: "Made when you save. Copy it and send it to whom you invite: whoever has it can register.",
        tr: "Kaydettiğinizde oluşur. Kopyalayıp davet ettiğiniz kişiye gönderin: ona sahip olan herkes kayıt olabilir.",
      },
      readOnly: true,
      secret: true,
    },
    used_count: {
      kind: "integer",
      labels: { en: "Used by", tr: "Kullanan" },
      help: { en: "People who have come with it.", tr: "Onunla gelen kişi sayısı." },
      readOnly: true,
    },
    used_by: {
      kind: "computed",
      of: "text",
      sql: `(SELECT string_agg(u.username, ', ' ORDER BY u.created_at, u.id) FROM account_invitation_use x
        JOIN account_user u ON u.id = x.user_id WHERE x.invitation_id = {row}.id AND u.is_email_verified)`,
      labels: { en: "Who came with it", tr: "Onunla gelenler" },
    },
    created_by_id: {
      kind: "relation",
      labels: { en: "Created by", tr: "Oluşturan" },
      related: "accounts.user",
      readOnly: true,
      author: true,
    },
    ...TIMESTAMP_FIELDS,
  },
  title: "note",
  list: ["note", "access_level_id", "used_count", "expires_at", "is_revoked"],
  defaultSort: [{ field: "created_at", direction: "desc" }],
  access: { ...STAFF_CONTENT, delete: 10 },
  // All but the note says who gets the level.
  stepUp: { create: true, update: ["access_level_id", "uses_max", "expires_at", "is_revoked"], export: true },
  hasWriter: true,
  // A link is worth its level: who may not give that level must not meet it.
  rows: [
    {
      belowLevel: ACCESS_LEVEL.superuser,
      operations: ["view", "update", "delete"],
      where: { field: "created_by_id", operator: "exact", value: ME },
    },
  ],
});
