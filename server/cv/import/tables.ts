import { integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Imports of the CV, each with what it changed, so that it can be taken back. A draft holds its file until it is applied; the
 * newest few keep what they changed. Nothing here names a person: who it was stands in the audit log, under the batch.
 */
export const cvImportTable = pgTable("cv_import", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  state: text("state", { enum: ["draft", "applied", "undone"] }).notNull(),
  file_name: text("file_name").notNull(),
  lang: text("lang", { enum: ["en", "tr"] }).notNull(),
  /** What the file was: a document of LinkedIn's export can't say all that a CV holds. */
  format: text("format", { enum: ["json_resume", "linkedin"] })
    .notNull()
    .default("json_resume"),
  /** What a draft's file says, as a JSON Resume document. */
  document: jsonb("document"),
  /** What was answered about a draft: a reload asks nothing again. */
  answers: jsonb("answers"),
  /** Number of the account that made it; null: the command line. */
  user_id: integer("user_id"),
  counts: jsonb("counts"),
  /** Rows before and after, as the table has them, and which of them were sample content. */
  snapshot: jsonb("snapshot"),
  batch_id: text("batch_id"),
  created_at: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
  applied_at: timestamp("applied_at", { withTimezone: true, mode: "string" }),
  /** The backup that was made before it, as a file's name. */
  backup_file: text("backup_file"),
  undone_at: timestamp("undone_at", { withTimezone: true, mode: "string" }),
});
