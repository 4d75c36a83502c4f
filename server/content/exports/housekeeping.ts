import type { Queryable } from "#server/db/pool.ts";
import { deleteBefore, failRunning } from "./store.ts";

const RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** Removes what is known of exports older than 90 days. Called at start and daily. */
export function deleteOldExports(db: Queryable, now: Date): Promise<void> {
  return deleteBefore(db, new Date(now.getTime() - RETENTION_MS));
}

/**
 * What still counts as running when a process starts belonged to one that died. Called before the first request; an export
 * of another process that lives writes its own end over this.
 */
export function failLeftExports(db: Queryable): Promise<void> {
  return failRunning(db);
}
