import type { Http } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import { getAccountHttp, getAccountSession } from "./account-session.ts";

/** What the account's screens need of the browser; tests bring their own. */
export interface AccountServices {
  getSession: () => Session;
  getHttp: () => Pick<Http, "request">;
  /** Loads an address as a document: the document decides between the public root and the console. Takes this page's place in the history. */
  goTo: (address: string) => void;
  /** The same, and Back leads here again. */
  open: (address: string) => void;
  /** As the browser's own Back; to `fallback` where this page is the first of its tab. */
  goBack: (fallback: string) => void;
}

export const BROWSER_SERVICES: AccountServices = {
  getSession: getAccountSession,
  getHttp: getAccountHttp,
  // In place of this page: Back would only lead to a screen that sends a signed-in person on again.
  goTo: (address) => window.location.replace(address),
  open: (address) => window.location.assign(address),
  goBack: (fallback) =>
    window.history.length > 1 ? window.history.back() : window.location.replace(fallback),
};
