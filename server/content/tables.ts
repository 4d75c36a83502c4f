import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { userTable } from "#server/models/declared/user.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });
const count = (name: string) => integer(name).notNull().default(0);

/** Bulk work on more rows than one transaction takes. What is done and `last_id` are written with the rows of each step. */
export const jobTable = pgTable(
  "content_job",
  {
    id: uuid("id").primaryKey(),
    content_type_id: integer("content_type_id").notNull(),
    operation: text("operation", { enum: ["delete", "update"] }).notNull(),
    status: text("status", { enum: ["queued", "running", "cancelling", "cancelled", "done", "failed"] })
      .notNull()
      .default("queued"),
    /** Who asked: what they may do is looked up again at each step. */
    user_id: integer("user_id").references(() => userTable.id, { onDelete: "set null" }),
    ip_address: text("ip_address"),
    request_id: text("request_id"),
    language: text("language", { enum: ["en", "tr"] }).notNull(),
    /** `{ query, exclude_ids }` of the request, and `max_id`: rows made later are left alone. */
    scope: jsonb("scope").notNull(),
    /** Of an update: the fields to write. */
    data: jsonb("data").notNull(),
    /** Rows written since are left alone; `infinity`: no row is, because the request named no moment. */
    snapshot: moment("snapshot").notNull(),
    /** Rows up to this id are done. */
    last_id: bigint("last_id", { mode: "number" }).notNull().default(0),
    total_count: count("total_count"),
    done_count: count("done_count"),
    affected_count: count("affected_count"),
    skipped_count: count("skipped_count"),
    failed_count: count("failed_count"),
    message: text("message").notNull().default(""),
    /** Rises each time that a process takes the job up: one that was thought dead can't go on with its own number. */
    fence: count("fence"),
    created_at: moment("created_at").notNull().defaultNow(),
    started_at: moment("started_at"),
    finished_at: moment("finished_at"),
  },
  (table) => [
    index("content_job_user").on(table.user_id, table.created_at),
    index("content_job_status").on(table.status),
  ],
);

/** Rows that a job left alone or could not write, with the reason's code. */
export const jobFailureTable = pgTable(
  "content_job_failure",
  {
    job_id: uuid("job_id")
      .notNull()
      .references(() => jobTable.id, { onDelete: "cascade" }),
    object_id: bigint("object_id", { mode: "number" }).notNull(),
    object_repr: text("object_repr").notNull(),
    reason: text("reason").notNull(),
  },
  (table) => [primaryKey({ columns: [table.job_id, table.object_id], name: "content_job_failure_key" })],
);

/** Exports and what became of them: who has a file can compare its count and hash. */
export const exportTable = pgTable(
  "content_export",
  {
    id: uuid("id").primaryKey(),
    content_type_id: integer("content_type_id").notNull(),
    user_id: integer("user_id").references(() => userTable.id, { onDelete: "set null" }),
    format: text("format").notNull(),
    file_name: text("file_name").notNull(),
    status: text("status", { enum: ["running", "complete", "failed", "abandoned"] }).notNull(),
    row_count: bigint("row_count", { mode: "number" }),
    byte_count: bigint("byte_count", { mode: "number" }),
    sha256: text("sha256"),
    /** The process that sends it: while that lives, it runs. Null: an older version's. */
    process_id: uuid("process_id"),
    created_at: moment("created_at").notNull().defaultNow(),
    finished_at: moment("finished_at"),
  },
  (table) => [
    index("content_export_created").on(table.created_at),
    index("content_export_user").on(table.user_id),
  ],
);
