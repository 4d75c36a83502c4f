import type { Http } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import { createSafeStorage, type KeyStorage } from "#providers/safe-storage.ts";
import { getAccountHttp, getAccountSession } from "../account-session.ts";

/** What the profile needs of the browser; tests pass their own. */
export interface ProfileServices {
  getSession: () => Session;
  getHttp: () => Http;
  /** Loads an address as a document. */
  goTo: (address: string) => void;
  /** Keeps typed text for this tab alone. */
  tabStorage: KeyStorage;
  /** Language and theme of this browser. */
  storage: KeyStorage;
  now: () => number;
}

export const BROWSER_SERVICES: ProfileServices = {
  getSession: getAccountSession,
  getHttp: getAccountHttp,
  goTo: (address) => window.location.assign(address),
  tabStorage: createSafeStorage(() => globalThis.sessionStorage),
  storage: createSafeStorage(),
  now: Date.now,
};
