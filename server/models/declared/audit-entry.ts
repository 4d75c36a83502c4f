import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import en from "#locales/en/audit.json" with { type: "json" };
import tr from "#locales/tr/audit.json" with { type: "json" };
import { searchColumn, searchIndex } from "../columns.ts";
import { declareModel, READ_ONLY, VIEWABLE_MODELS } from "../declare.ts";

/**
 * Who did what. Partitioned by month on `timestamp`: the first migration says so by hand, and later generated ones leave it alone.
 * No foreign keys: an entry outlives the user and the model it speaks of.
 */
export const auditEntryTable = pgTable(
  "audit_entry",
  {
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    timestamp: timestamp("timestamp", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
    user_id: integer("user_id"),
    username: text("username"),
    action_type: text("action_type", {
      enum: ["CREATE", "UPDATE", "DELETE", "VIEW", "LOGIN", "LOGOUT"],
    }).notNull(),
    /** What exactly, where the six types are too coarse: `export`, `bulk`, `failed_sign_in`, `import` … */
    detail: text("detail"),
    content_type_id: integer("content_type_id"),
    object_id: text("object_id"),
    object_repr: text("object_repr"),
    change_message: text("change_message").notNull().default(""),
    /** `{ field: { before, after } }`, values as they travel. */
    changes: jsonb("changes"),
    ip_address: text("ip_address"),
    request_id: text("request_id"),
    /** The bulk operation that the entry is part of, and whether it stands under the operation's first entry. */
    batch_id: text("batch_id"),
    is_folded: boolean("is_folded").notNull().default(false),
    /** Of the chain (docs/decisions/029): salts of what an erasure may take, and once it did, the digests in their place. */
    actor_salt: uuid("actor_salt").defaultRandom(),
    object_salt: uuid("object_salt").defaultRandom(),
    actor_digest: text("actor_digest"),
    object_digest: text("object_digest"),
    search: searchColumn({ plain: ["username", "object_repr"] }),
  },
  (table) => [
    primaryKey({ columns: [table.timestamp, table.id], name: "audit_entry_key" }),
    index("audit_entry_id").on(table.id),
    index("audit_entry_action").on(
      table.action_type,
      table.timestamp.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    // Each write adds an entry: with the usual 4 MB one in three bulk writes would wait for the list of new trigrams to be merged.
    searchIndex("audit_entry", table.search).with({ gin_pending_list_limit: 16_384 }),
    // Names typed at failed log-ins, which the deletion of an account looks for.
    index("audit_entry_typed_name")
      .on(sql`lower(${table.username})`)
      .where(sql`${table.user_id} IS NULL AND ${table.action_type} = 'LOGIN'`),
    // Lists with one line for each bulk operation; folded entries cost these nothing.
    index("audit_entry_unfolded")
      .on(table.timestamp.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`NOT ${table.is_folded}`),
    index("audit_entry_bulk")
      .on(table.timestamp.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`NOT ${table.is_folded} AND ${table.batch_id} IS NOT NULL`),
    index("audit_entry_detail")
      .on(table.detail, table.timestamp.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`NOT ${table.is_folded} AND ${table.detail} IS NOT NULL`),
    index("audit_entry_batch")
      .on(table.batch_id, table.timestamp.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`${table.batch_id} IS NOT NULL`),
    index("audit_entry_object").on(table.content_type_id, table.object_id),
    index("audit_entry_user").on(table.user_id, table.timestamp.desc().nullsFirst()),
  ],
);

export const auditEntry = declareModel({
  app: "audit",
  name: "entry",
  order: 800,
  table: auditEntryTable,
  labels: { en: "Audit entry", tr: "Denetim kaydı" },
  pluralLabels: { en: "Audit log", tr: "Denetim günlüğü" },
  help: {
    en: "Who did what, and when. Nobody changes or deletes an entry; old ones go by the month, and of a deleted account only its number stays.",
    tr: "Kimin neyi ne zaman yaptığı. Kayıtları kimse değiştiremez veya silemez; eskileri ay ay silinir, silinen bir hesabın yalnızca numarası kalır.",
  },
  fields: {
    timestamp: { kind: "date_time", labels: { en: "Time", tr: "Zaman" }, readOnly: true },
    user: {
      kind: "relation",
      column: "user_id",
      related: "accounts.user",
      labels: { en: "User", tr: "Kullanıcı" },
      help: {
        en: "Empty: the server itself, or a visitor.",
        tr: "Boşsa sunucunun kendisi veya bir ziyaretçi.",
      },
    },
    username: {
      kind: "text",
      labels: { en: "Username", tr: "Kullanıcı adı" },
      help: {
        en: "As it was at that time; of a deleted account its number. Empty where somebody tried to log in by a name that belongs to no account: people type passwords there.",
        tr: "O zamanki hâliyle; silinmiş bir hesabın ise numarası. Hiçbir hesaba ait olmayan bir adla giriş denendiyse boştur: oraya parola yazanlar olur.",
      },
    },
    action_type: {
      kind: "choice",
      labels: { en: "Action", tr: "İşlem" },
      choices: [
        { value: "CREATE", labels: { en: "Create", tr: "Oluşturma" } },
        { value: "UPDATE", labels: { en: "Update", tr: "Güncelleme" } },
        { value: "DELETE", labels: { en: "Delete", tr: "Silme" } },
        { value: "VIEW", labels: { en: "View", tr: "Görüntüleme" } },
        { value: "LOGIN", labels: { en: "Log-in", tr: "Giriş" } },
        { value: "LOGOUT", labels: { en: "Log-out", tr: "Çıkış" } },
      ],
    },
    detail: {
      kind: "text",
      labels: { en: "Detail", tr: "Ayrıntı" },
      help: {
        en: "What exactly it was, such as export, bulk or failed_sign_in.",
        tr: "Tam olarak ne olduğu; örneğin export, bulk veya failed_sign_in.",
      },
    },
    content_type_id: {
      kind: "integer",
      labels: { en: "Model number", tr: "Model numarası" },
      help: { en: "content_type_id of the model.", tr: "Modelin content_type_id değeri." },
    },
    object_id: { kind: "text", labels: { en: "Object number", tr: "Nesne numarası" } },
    object_repr: {
      kind: "text",
      labels: { en: "Object", tr: "Nesne" },
      help: { en: "As it was called at that time.", tr: "O zamanki adıyla." },
    },
    change_message: { kind: "text", labels: { en: "What happened", tr: "Ne oldu" } },
    changes: {
      kind: "json",
      labels: { en: "Changes", tr: "Değişiklikler" },
      help: { en: "Values before and after.", tr: "Önceki ve sonraki değerler." },
      // They hold fields that not everybody sees; the history of an object shows each reader theirs.
      viewLevel: 999,
    },
    ip_address: {
      kind: "text",
      labels: { en: "IP address", tr: "IP adresi" },
      // On purpose of everybody who opens the console: an attack is seen by its addresses, and whoever is on duty has to see it.
      viewLevel: 10,
    },
    request_id: {
      kind: "text",
      labels: { en: "Request", tr: "İstek" },
      help: { en: "Finds the request in the server's log.", tr: "İsteği sunucu günlüğünde bulmaya yarar." },
    },
    batch_id: {
      kind: "text",
      labels: { en: "Bulk operation", tr: "Toplu işlem" },
      help: {
        en: "The same in all entries of one operation on many objects.",
        tr: "Birçok nesneyi etkileyen tek bir işlemin bütün kayıtlarında aynıdır.",
      },
    },
    is_folded: {
      kind: "boolean",
      labels: { en: "Folded", tr: "Katlanmış" },
      help: {
        en: "Stands under the first entry of its bulk operation.",
        tr: "Toplu işleminin ilk kaydının altında durur.",
      },
    },
  },
  title: "change_message",
  list: ["timestamp", "username", "action_type", "object_repr", "change_message"],
  search: ["username", "object_repr"],
  searchPhrases: { [tr.deleted_account]: en.deleted_account },
  large: true,
  sorts: ["timestamp"],
  defaultSort: [{ field: "timestamp", direction: "desc" }],
  access: READ_ONLY,
  stepUp: { export: true },
  rows: [
    {
      belowLevel: 999,
      operations: ["view"],
      where: { field: "content_type_id", operator: "exact", value: VIEWABLE_MODELS },
    },
  ],
});
