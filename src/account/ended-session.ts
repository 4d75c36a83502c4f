import { createSafeStorage } from "#providers/safe-storage.ts";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const EXPIRED_KEY = "session-expired";

/** For the log-in page of this tab, which says why it is shown. */
export const markExpired = () => tabStorage.setItem(EXPIRED_KEY, "1");

/** Whether it was marked; tells it once. */
export function takeExpired(): boolean {
  const isMarked = tabStorage.getItem(EXPIRED_KEY) !== null;
  tabStorage.removeItem(EXPIRED_KEY);
  return isMarked;
}
