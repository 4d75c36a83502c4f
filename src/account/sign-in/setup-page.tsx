import { createSafeStorage } from "#providers/safe-storage.ts";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const TOKEN_KEY = "setup-token";

/** The token of the link, taken out of the address bar, which others may see; a reload finds it in this tab. "" without one. */
export function takeToken(): string {
  const token = window.location.hash.slice(1);
  if (!token) return tabStorage.getItem(TOKEN_KEY) ?? "";
  tabStorage.setItem(TOKEN_KEY, token);
  // The router keeps what it wants to know of an entry in its state.
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  return token;
}

export const forgetToken = () => tabStorage.removeItem(TOKEN_KEY);
