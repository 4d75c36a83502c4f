import { index, integer, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
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
    /** The same by a second factor; null: never in this session. */
    factor_shown_at: timestamp("factor_shown_at", { withTimezone: true, mode: "string" }),
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

/** What codes by mail are for. */
const PURPOSES = ["verify_email", "reset_password", "change_email"] as const;

/**
 * Codes that addresses were sent, several of which may be good at once (docs/decisions/012). A row stands also where no mail was
 * sent because there is no account to send to, so that asking again answers the same whoever has one.
 */
export const codeTable = pgTable(
  "account_code",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    purpose: text("purpose", { enum: PURPOSES }).notNull(),
    /** In lower case. */
    email: text("email").notNull(),
    /** Whom the mail named; null: no mail was sent, and no code fits. */
    user_id: integer("user_id").references(() => userTable.id, { onDelete: "set null" }),
    code_hash: text("code_hash"),
    /** Of the long secret in the mail's link. */
    proof_hash: text("proof_hash"),
    /** Wrong ones that came without a browser's ticket. */
    tries: integer("tries").notNull().default(0),
    sent_at: timestamp("sent_at", { withTimezone: true, mode: "string" }).notNull(),
    expires_at: timestamp("expires_at", { withTimezone: true, mode: "string" }).notNull(),
  },
  (table) => [
    index("account_code_address").on(table.email, table.purpose, table.sent_at),
    index("account_code_user").on(table.user_id),
  ],
);

/** Which code a browser that asked may type, with tries of its own. */
export const codeTicketTable = pgTable(
  "account_code_ticket",
  {
    purpose: text("purpose", { enum: PURPOSES }).notNull(),
    email: text("email").notNull(),
    ticket_hash: text("ticket_hash").notNull(),
    code_id: integer("code_id")
      .notNull()
      .references(() => codeTable.id, { onDelete: "cascade" }),
    tries: integer("tries").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.ticket_hash, table.purpose, table.email] }),
    index("account_code_ticket_code").on(table.code_id),
  ],
);

/** Wrong codes of the last day. Keyed hashes stand for the address, and for where the code came from. */
export const codeGuessTable = pgTable(
  "account_code_guess",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    subject_key: text("subject_key").notNull(),
    block_key: text("block_key").notNull(),
    guessed_at: timestamp("guessed_at", { withTimezone: true, mode: "string" }).notNull(),
  },
  (table) => [index("account_code_guess_subject").on(table.subject_key, table.guessed_at)],
);

/** Links with which the owner's account is made, one of each process that runs while there is no owner. */
export const setupLinkTable = pgTable("setup_link", {
  /** SHA-256 of the link's secret: 256 random bits. */
  token_hash: text("token_hash").primaryKey(),
  expires_at: timestamp("expires_at", { withTimezone: true, mode: "string" }).notNull(),
});
