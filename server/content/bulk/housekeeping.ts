import type { Queryable } from "#server/db/pool.ts";
import { deleteJobsBefore } from "./job-store.ts";

const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Jobs that were over a month ago go. Called at start and daily. */
export async function removeOldJobs(db: Queryable, now: Date): Promise<void> {
  await deleteJobsBefore(db, new Date(now.getTime() - KEPT_DAYS * DAY_MS));
}
