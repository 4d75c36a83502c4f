import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";
import { ACCESS_LEVEL, type AccountUser, hasAdminAccess } from "#contract/accounts/accounts.ts";
import { createSafeStorage, LOGIN_NOTICE_KEY, REFRESH_TOKEN_KEY } from "#providers/browser-storage.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { usePage } from "../ui/page-context.tsx";
import type { AccountServices } from "./account-services.ts";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);

/** For the log-in page of this tab, which says why it is shown. */
export const leaveNotice = (text: string) => tabStorage.setItem(LOGIN_NOTICE_KEY, text);

/** What was left for it, once. */
export function takeNotice(): string | null {
  const text = tabStorage.getItem(LOGIN_NOTICE_KEY);
  tabStorage.removeItem(LOGIN_NOTICE_KEY);
  return text;
}

/**
 * The `redirect` query value as a path on this site, or null. It must begin with a single `/`; `//host`, `/\host` and
 * what browsers read as such (`/<tab>/host`, `/.//host`) lead to other sites. The log-in page itself would be a circle.
 */
export function toSafeRedirect(value: string | null, origin: string): string | null {
  if (!value || !/^\/(?![/\\])/.test(value) || !URL.canParse(value, origin)) return null;
  const target = new URL(value, origin);
  const isElsewhere = target.origin !== origin || target.pathname.startsWith("//");
  if (isElsewhere || /^(\/(en|tr))?\/login\/?$/.test(target.pathname)) return null;
  return target.pathname + target.search + target.hash;
}

/** Signed in, but the address is not proven: nothing that needs level 1 is open yet. */
export function needsVerification(user: Pick<AccountUser, "is_email_verified" | "access_level">): boolean {
  return !user.is_email_verified && user.access_level < ACCESS_LEVEL.user;
}

export function buildVerifyAddress(prefix: string, email: string): string {
  return `${prefix}/verify-email?${new URLSearchParams({ email })}`;
}

/** Where whoever waits for a decision about their account belongs. */
export function buildWaitingAddress(prefix: string): string {
  return `${prefix}/register/waiting`;
}

/** Where a signed-in person belongs (specification A 2.7): proving the address, else the target, else the place of their level. */
function toArrival({ user }: AuthState, prefix: string, redirect: string | null): string {
  if (needsVerification(user)) return buildVerifyAddress(prefix, user.email);
  const home = hasAdminAccess(user.access_level) ? "/admin" : `${prefix}/dev`;
  return toSafeRedirect(redirect, window.location.origin) ?? home;
}

/** Goes to where a signed-in person belongs. */
export function useArrival(goTo: AccountServices["goTo"]) {
  const { prefix } = usePage();
  const [query] = useSearchParams();
  return (state: AuthState) => goTo(toArrival(state, prefix, query.get("redirect")));
}

/**
 * Asks on load, when Back shows the page again, and when another tab opens a session, whether somebody is signed in already;
 * calls `onSignedIn` if so. A visitor
 * whose session can't be confirmed stays: nobody asked for this call, and the form says what is wrong when it is used.
 */
export function useSignedIn(
  getSession: AccountServices["getSession"],
  onSignedIn: (state: AuthState) => void,
): void {
  const arrive = useEffectEvent(onSignedIn);
  useEffect(() => {
    let isLeft = false;
    const restore = () =>
      getSession()
        .restore()
        .then((state) => state && !isLeft && arrive(state))
        .catch((error: unknown) => console.warn("The session could not be restored.", error));
    void restore();
    // The browser's back button brings the page as it was left, which may be after a log-in.
    const onShow = (event: PageTransitionEvent) => event.persisted && void restore();
    // Other tabs alone send it. Renewals of a session say nothing: two waiting tabs would ask each other for ever.
    const onStorage = ({ key, oldValue, newValue }: StorageEvent) =>
      key === REFRESH_TOKEN_KEY && !oldValue && newValue && void restore();
    window.addEventListener("pageshow", onShow);
    window.addEventListener("storage", onStorage);
    return () => {
      isLeft = true;
      window.removeEventListener("storage", onStorage);
      window.removeEventListener("pageshow", onShow);
    };
  }, [getSession]);
}
