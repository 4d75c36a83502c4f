import { bigint, boolean, index, integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { userTable } from "#server/models/declared/user.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });
const owner = () =>
  integer("user_id")
    .notNull()
    .references(() => userTable.id, { onDelete: "cascade" });

/** Public keys of passkeys (WebAuthn): nothing in it lets anybody in. */
export const passkeyTable = pgTable(
  "account_passkey",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    user_id: owner(),
    /** As the authenticator names it, in base64url. */
    credential_id: text("credential_id").notNull(),
    /** COSE, in base64url. */
    public_key: text("public_key").notNull(),
    /** How often it was used by its own count; 0 where it doesn't count. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    is_synced: boolean("is_synced").notNull(),
    name: text("name").notNull(),
    created_at: moment("created_at").notNull(),
    last_used_at: moment("last_used_at"),
  },
  (table) => [
    unique("account_passkey_credential").on(table.credential_id),
    index("account_passkey_user").on(table.user_id),
  ],
);

/** The secret of an authenticator app (TOTP, RFC 6238), encrypted. */
export const appTable = pgTable("account_app_factor", {
  user_id: owner().primaryKey(),
  sealed_secret: text("sealed_secret").notNull(),
  /** Null: no code of it was typed yet, and it counts for nothing. */
  confirmed_at: moment("confirmed_at"),
  /** The 30 seconds, since 1970, of the last code that was used: it and those before it are good no more. */
  last_step: bigint("last_step", { mode: "number" }).notNull().default(0),
  created_at: moment("created_at").notNull(),
});

/** SHA-256 of codes of 120 bits; a code that was used is gone. */
export const recoveryCodeTable = pgTable(
  "account_recovery_code",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    user_id: owner(),
    code_hash: text("code_hash").notNull(),
  },
  (table) => [index("account_recovery_code_user").on(table.user_id)],
);

/** Tickets that let somebody in, until they are over: none does so twice. */
export const spentTicketTable = pgTable("account_spent_ticket", {
  id: text("id").primaryKey(),
  expires_at: moment("expires_at").notNull(),
});
