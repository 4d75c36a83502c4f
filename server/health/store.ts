import { bigint, integer, pgTable, primaryKey, real, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Queryable } from "#server/db/pool.ts";

export interface Sample {
  takenAt: Date;
  /** Label of the process. */
  process: string;
  bootId: string;
  requestCount: number;
  responseTimeMs: number | null;
  memoryBytes: number;
  diskUsedBytes: number;
  diskTotalBytes: number;
}

export async function insertSample(db: Queryable, sample: Sample): Promise<void> {
  await db.query(
    `INSERT INTO health_sample (taken_at, process, boot_id, request_count, response_time_ms, memory_bytes, disk_used_bytes, disk_total_bytes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [
      sample.takenAt.toISOString(),
      sample.process,
      sample.bootId,
      sample.requestCount,
      sample.responseTimeMs,
      sample.memoryBytes,
      sample.diskUsedBytes,
      sample.diskTotalBytes,
    ],
  );
}

export async function deleteSamplesBefore(db: Queryable, moment: Date): Promise<void> {
  await db.query("DELETE FROM health_sample WHERE taken_at < $1", [moment.toISOString()]);
}

/**
 * A minute of the site, whose processes each have a sample in it: the median time of requests counts as often as there were such, the
 * memory is a process's on average, and the disk the fullest one.
 */
const MINUTE_FIGURES = `
  sum(response_time_ms * request_count) / nullif(sum(request_count) FILTER (WHERE response_time_ms IS NOT NULL), 0) AS response_time_ms,
  avg(memory_bytes)::float8 AS memory_bytes, max(disk_used_bytes::float8 / greatest(disk_total_bytes, 1)) AS disk_share`;

/** Means of one hour, and from how many minutes. */
export interface HourMeans {
  responseCount: number;
  responseTimeMs: number | null;
  count: number;
  memoryBytes: number | null;
  diskShare: number | null;
}

/** Means of the hour that ends at a moment, and of the hour before it. */
export async function selectHourMeans(db: Queryable, now: Date): Promise<[HourMeans, HourMeans]> {
  const { rows } = await db.query<HourMeans & { is_last: boolean }>(
    `WITH minute AS (
       SELECT taken_at > $1::timestamptz - interval '1 hour' AS is_last, ${MINUTE_FIGURES}
       FROM health_sample WHERE taken_at > $1::timestamptz - interval '2 hours' AND taken_at <= $1
       GROUP BY 1, date_trunc('minute', taken_at))
     SELECT is_last, count(response_time_ms)::integer AS "responseCount", avg(response_time_ms) AS "responseTimeMs",
       count(*)::integer AS count, avg(memory_bytes) AS "memoryBytes", avg(disk_share) AS "diskShare"
     FROM minute GROUP BY 1`,
    [now.toISOString()],
  );
  const none: HourMeans = {
    responseCount: 0,
    responseTimeMs: null,
    count: 0,
    memoryBytes: null,
    diskShare: null,
  };
  return [rows.find((row) => row.is_last) ?? none, rows.find((row) => !row.is_last) ?? none];
}

/** Times of the minutes since a moment that had requests. */
export async function selectResponseTimes(db: Queryable, since: Date): Promise<number[]> {
  const { rows } = await db.query<{ response_time_ms: number }>(
    `SELECT response_time_ms FROM (
       SELECT ${MINUTE_FIGURES} FROM health_sample WHERE taken_at > $1 GROUP BY date_trunc('minute', taken_at)) minute
     WHERE response_time_ms IS NOT NULL`,
    [since.toISOString()],
  );
  return rows.map((row) => row.response_time_ms);
}

/**
 * Whole minutes of a period up to a moment, from the first sample on where there is none from before, and how many of them have
 * a sample. A minute without one is a minute in which no process ran, also at the period's begin.
 */
export async function selectMinutes(
  db: Queryable,
  period: { since: Date; until: Date },
): Promise<{ all: number; up: number }> {
  const { rows } = await db.query<{ all: number; up: number }>(
    `WITH minute AS (
       SELECT DISTINCT date_trunc('minute', taken_at) AS at FROM health_sample
       WHERE taken_at >= date_trunc('minute', $1::timestamptz) AND taken_at < date_trunc('minute', $2::timestamptz)),
     first AS (SELECT taken_at FROM health_sample ORDER BY taken_at LIMIT 1)
     SELECT coalesce(extract(epoch FROM date_trunc('minute', $2::timestamptz)
         - (SELECT date_trunc('minute', greatest(taken_at, $1::timestamptz)) FROM first)) / 60, 0)::integer AS all,
       count(*)::integer AS up FROM minute`,
    [period.since.toISOString(), period.until.toISOString()],
  );
  return rows[0] ?? { all: 0, up: 0 };
}

/** One point of the history: means of the samples of a few minutes. */
export interface HistoryPoint {
  time: string;
  response_time: number | null;
  memory_usage: number;
  disk_usage: number;
}

/** Points since a moment, one for each `stepS` seconds that have a sample, oldest first. */
export async function selectHistory(db: Queryable, since: Date, stepS: number): Promise<HistoryPoint[]> {
  const { rows } = await db.query<HistoryPoint>(
    `WITH minute AS (
       SELECT date_trunc('minute', taken_at) AS at, ${MINUTE_FIGURES} FROM health_sample WHERE taken_at > $1 GROUP BY 1)
     SELECT to_timestamp(floor(extract(epoch FROM at) / $2) * $2) AS time, avg(response_time_ms) AS response_time,
       avg(memory_bytes) AS memory_usage, avg(disk_share) AS disk_usage
     FROM minute GROUP BY 1 ORDER BY 1`,
    [since.toISOString(), stepS],
  );
  return rows;
}

/** PostgreSQL's version, for instance "18.4". */
export async function selectDatabaseVersion(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ version: string }>("SELECT current_setting('server_version') AS version");
  return rows[0]?.version.split(" ")[0] ?? "";
}

/** What each process measured of itself, once a minute while it runs. A minute without a row: the site was down. */
export const healthSampleTable = pgTable(
  "health_sample",
  {
    taken_at: timestamp("taken_at", { withTimezone: true, mode: "string" }).notNull(),
    /** Its label: the same after a restart. Empty: an older version's. */
    process: text("process").notNull().default(""),
    /** One for each start of the process. */
    boot_id: uuid("boot_id").notNull(),
    /** Requests since the sample before, and their median time; null where there were none. */
    request_count: integer("request_count").notNull(),
    response_time_ms: real("response_time_ms"),
    memory_bytes: bigint("memory_bytes", { mode: "number" }).notNull(),
    disk_used_bytes: bigint("disk_used_bytes", { mode: "number" }).notNull(),
    disk_total_bytes: bigint("disk_total_bytes", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.taken_at, table.process], name: "health_sample_key" })],
);
