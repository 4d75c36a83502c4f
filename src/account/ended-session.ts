import { createSafeStorage } from "#providers/safe-storage.ts";

const storage = createSafeStorage(() => globalThis.sessionStorage);
const KEY = "session-expired";

/** For the log-in page of this tab, which says why it is shown. */
export const markExpired = () => storage.setItem(KEY, "1");

/** Whether it was marked; tells it once. */
export function takeExpired(): boolean {
  const isMarked = storage.getItem(KEY) !== null;
  storage.removeItem(KEY);
  return isMarked;
}
