import type pg from "pg";
import { deleteOldCounts } from "./daily-count.ts";
import { deleteReportsBefore } from "./people/report-store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The console says so with the model. */
const REPORTS_KEPT_DAYS = 180;

/** Removes old reports, and what was counted on days that are over. Called at start and daily. */
export async function cleanVoice(pool: pg.Pool, now: Date): Promise<void> {
  await deleteReportsBefore(pool, new Date(now.getTime() - REPORTS_KEPT_DAYS * DAY_MS));
  await deleteOldCounts(pool, now);
}
