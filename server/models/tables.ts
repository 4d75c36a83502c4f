import { integer, pgTable, text, unique } from "drizzle-orm/pg-core";

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
