import { bigint, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

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

/** Work of the site that one process at a time does, and who does it. Not in backups: what is restored runs nowhere. */
export const workLeaseTable = pgTable("work_lease", {
  /** Of the work; or `process` and a process's id: that one lives. */
  name: text("name").primaryKey(),
  /** The process, by the id that it gave itself at its start. */
  holder: uuid("holder").notNull(),
  /** By the clock of the database. Past: whoever comes first may take the work. */
  expires_at: timestamp("expires_at", { withTimezone: true, mode: "string" }).notNull(),
  /** Rises each time that the lease begins anew: what an earlier holder writes by its own number is refused. */
  fence: bigint("fence", { mode: "number" }).notNull().default(1),
  /** What its holder leaves to the next one, and to those who only show how it goes. */
  note: text("note"),
});
