import { date, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { userTable } from "#server/models/declared/user.ts";

/** Whom people have blocked for themselves: nobody else's to know, so that no endpoint of the console shows it. */
export const voiceBlockTable = pgTable(
  "voice_block",
  {
    blocker_id: integer("blocker_id")
      .notNull()
      .references(() => userTable.id, { onDelete: "cascade" }),
    blocked_id: integer("blocked_id")
      .notNull()
      .references(() => userTable.id, { onDelete: "cascade" }),
    created_at: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.blocker_id, table.blocked_id] }),
    index("voice_block_blocked").on(table.blocked_id),
  ],
);

/** How many rooms and reports a person has made in a day (UTC). Rows that go take nothing back. */
export const voiceDailyCountTable = pgTable(
  "voice_daily_count",
  {
    user_id: integer("user_id")
      .notNull()
      .references(() => userTable.id, { onDelete: "cascade" }),
    what: text("what", { enum: ["room", "report"] }).notNull(),
    day: date("day", { mode: "string" }).notNull(),
    made: integer("made").notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.what, table.day] })],
);
