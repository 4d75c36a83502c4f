import { bigint, boolean, integer, pgTable, text, unique } from "drizzle-orm/pg-core";

/** Numbers for content models, given at the first start that knows a model and never reused. */
export const contentTypeTable = pgTable(
  "content_type",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    app_label: text("app_label").notNull(),
    model_name: text("model_name").notNull(),
  },
  (table) => [unique("content_type_key").on(table.app_label, table.model_name)],
);

/** How far the search column of a large table is filled: see decision 013. A table without a row has its column from a migration. */
export const searchBuildTable = pgTable("search_build", {
  table_name: text("table_name").primaryKey(),
  /** The text that is folded; another one begins anew. */
  expression: text("expression").notNull(),
  /** Rows up to this id are filled. */
  last_id: bigint("last_id", { mode: "number" }).notNull().default(0),
  /** Filled, and its index is valid. */
  is_ready: boolean("is_ready").notNull().default(false),
});
