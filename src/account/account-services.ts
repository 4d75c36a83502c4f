import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
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

/** The query of this address; null while the page is as the server drew it, for all queries alike. */
export function useHydratedQuery(): URLSearchParams | null {
  const [query] = useSearchParams();
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return isHydrated ? query : null;
}

/** The `redirect` of this address as the query of a link that leads to where the same target counts, or "". */
export function useRedirectQuery(): string {
  const redirect = useHydratedQuery()?.get("redirect");
  return redirect ? `?${new URLSearchParams({ redirect })}` : "";
}

/** Does one thing after a while, unless the screen is left or something else takes its place. */
export function useLater(): (task: () => void, ms: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (task, ms) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(task, ms);
  };
}
