import { index, integer, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { invitationTable } from "#server/models/declared/invitation.ts";
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
    /** When the person last showed that it is them. */
    confirmed_at: timestamp("confirmed_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
    expires_at: timestamp("expires_at", { withTimezone: true, mode: "string" }).notNull(),
    ended_at: timestamp("ended_at", { withTimezone: true, mode: "string" }),
    end_reason: text("end_reason", {
      enum: ["signed_out", "token_reuse", "suspended", "password_changed", "revoked"],
    }),
    ip_address: text("ip_address"),
    user_agent: text("user_agent"),
  },
  (table) => [index("account_session_user").on(table.user_id)],
);

/** With which invitation somebody registered. A registration that nobody proves goes, and its use with it. */
export const invitationUseTable = pgTable(
  "account_invitation_use",
  {
    user_id: integer("user_id")
      .primaryKey()
      .references(() => userTable.id, { onDelete: "cascade" }),
    invitation_id: integer("invitation_id")
      .notNull()
      .references(() => invitationTable.id, { onDelete: "cascade" }),
  },
  (table) => [index("account_invitation_use_invitation").on(table.invitation_id)],
);

/**
 * The one live code of an address for a purpose. A row stands also where no mail was sent because there is no account to
 * send to, so that asking again answers the same whoever has one.
 */
export const codeTable = pgTable(
  "account_code",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    purpose: text("purpose", { enum: ["verify_email", "reset_password", "change_email"] }).notNull(),
    /** In lower case. */
    email: text("email").notNull(),
    /** Whom the mail named; null: no mail was sent, and no code fits. */
    user_id: integer("user_id").references(() => userTable.id, { onDelete: "set null" }),
    code_hash: text("code_hash"),
    tries: integer("tries").notNull().default(0),
    sent_at: timestamp("sent_at", { withTimezone: true, mode: "string" }).notNull(),
    expires_at: timestamp("expires_at", { withTimezone: true, mode: "string" }).notNull(),
  },
  (table) => [
    unique("account_code_purpose").on(table.purpose, table.email),
    index("account_code_user").on(table.user_id),
  ],
);
