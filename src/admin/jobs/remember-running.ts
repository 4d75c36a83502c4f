import { createSafeStorage } from "#providers/safe-storage.ts";

/** Set while a job that this browser knows of is under way, so that the next page asks for it at once. */
const RUNNING_KEY = "admin_jobs_running";
const storage = createSafeStorage();

export function wasRunning(): boolean {
  return storage.getItem(RUNNING_KEY) !== null;
}

export function rememberRunning(isRunning: boolean): void {
  if (isRunning) storage.setItem(RUNNING_KEY, "1");
  else storage.removeItem(RUNNING_KEY);
}
