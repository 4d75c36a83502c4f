import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Key files of the site, where it has KEYS_SECRET: what is otherwise in `keys` of the data folder. A row holds the text of one file,
 * sealed with a key that only the secret gives, for the name of the file.
 *
 * No backup copies these rows: it holds the same keys as the files that they are in a data folder, so that any site can take them.
 */
export const siteKeyTable = pgTable("site_key", {
  /** Of the file: `access-token.json`. */
  name: text("name").primaryKey(),
  sealed: text("sealed").notNull(),
  /** By the database's clock, which all processes share. */
  changed_at: timestamp("changed_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
});
