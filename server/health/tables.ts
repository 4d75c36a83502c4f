import { bigint, integer, pgTable, real, timestamp, uuid } from "drizzle-orm/pg-core";

/** What the server measured of itself, once a minute while it runs. A minute without a row: it was down. */
export const healthSampleTable = pgTable("health_sample", {
  taken_at: timestamp("taken_at", { withTimezone: true, mode: "string" }).primaryKey(),
  /** One for each start of the process. */
  boot_id: uuid("boot_id").notNull(),
  /** Requests since the sample before, and their median time; null where there were none. */
  request_count: integer("request_count").notNull(),
  response_time_ms: real("response_time_ms"),
  memory_bytes: bigint("memory_bytes", { mode: "number" }).notNull(),
  disk_used_bytes: bigint("disk_used_bytes", { mode: "number" }).notNull(),
  disk_total_bytes: bigint("disk_total_bytes", { mode: "number" }).notNull(),
});
