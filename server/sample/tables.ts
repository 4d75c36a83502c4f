import { integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** Rows that came with the product. One that was edited since (`updated_at` differs) is the owner's. */
export const sampleRowTable = pgTable(
  "sample_row",
  {
    model: text("model").notNull(),
    object_id: integer("object_id").notNull(),
    row_updated_at: timestamp("row_updated_at", { withTimezone: true, mode: "string" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.model, table.object_id] })],
);

/** What a start has put into the database once and never puts there again, by name. */
export const siteSeedTable = pgTable("site_seed", {
  name: text("name").primaryKey(),
  applied_at: timestamp("applied_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
});
