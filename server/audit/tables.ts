import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

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
  },
  (table) => [
    primaryKey({ columns: [table.timestamp, table.id], name: "audit_entry_key" }),
    index("audit_entry_object").on(table.content_type_id, table.object_id),
    index("audit_entry_user").on(table.user_id, table.timestamp.desc().nullsFirst()),
  ],
);
