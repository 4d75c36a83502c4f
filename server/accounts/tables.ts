import { index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { userTable } from "#server/models/declared/user.ts";

/**
 * One signed-in browser or client. The refresh token is a secret of which only SHA-256 is kept; the one before it is kept
 * for the moment in which a page load may have lost the answer of a refresh.
 */
export const sessionTable = pgTable(
  "account_session",
  {
    id: uuid("id").primaryKey(),
    user_id: integer("user_id")
      .notNull()
      .references(() => userTable.id, { onDelete: "cascade" }),
    token_hash: text("token_hash").notNull(),
    previous_token_hash: text("previous_token_hash"),
    rotated_at: timestamp("rotated_at", { withTimezone: true, mode: "string" }),
    created_at: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
    last_used_at: timestamp("last_used_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
    expires_at: timestamp("expires_at", { withTimezone: true, mode: "string" }).notNull(),
    ended_at: timestamp("ended_at", { withTimezone: true, mode: "string" }),
    end_reason: text("end_reason", { enum: ["signed_out", "token_reuse", "suspended", "password_changed"] }),
    ip_address: text("ip_address"),
    user_agent: text("user_agent"),
  },
  (table) => [index("account_session_user").on(table.user_id)],
);
