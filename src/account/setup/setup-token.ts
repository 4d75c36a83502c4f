import { createSafeStorage } from "#providers/safe-storage.ts";

const storage = createSafeStorage(() => globalThis.sessionStorage);
const KEY = "setup-token";

/** The token of the link, taken out of the address bar, which others may see; a reload finds it in this tab. "" without one. */
export function takeToken(): string {
  const token = window.location.hash.slice(1);
  if (!token) return storage.getItem(KEY) ?? "";
  storage.setItem(KEY, token);
  // The router keeps what it wants to know of an entry in its state.
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  return token;
}

export const forgetToken = () => storage.removeItem(KEY);
