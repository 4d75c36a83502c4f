import { createContext, type RefObject, use, useCallback, useEffect, useRef, useState } from "react";
import { type OwnProfile, ownProfile } from "#contract/accounts/own-account.ts";
import { createSafeStorage, type KeyStorage } from "#providers/browser-storage.ts";
import { buildLoginAddress } from "#providers/http/auth.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { type Http, HttpError } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import type { UploadProgress } from "#providers/http/upload.ts";
import { usePage } from "../../ui/page-context.tsx";
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

const PROFILE_PATH = "/api/users/profile/";

/** The form of `PUT /api/users/profile/`: only what is in it changes. */
export function toForm(values: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

export function fetchProfile(http: Http): Promise<OwnProfile> {
  return http.request(PROFILE_PATH, { schema: ownProfile });
}

/** Saves a form; one with pictures reports how much of it has left the browser. */
export function sendProfile(
  http: Http,
  form: FormData,
  onProgress?: (progress: UploadProgress) => void,
): Promise<OwnProfile> {
  const hasFile = [...form.values()].some((value) => value instanceof File);
  return hasFile && onProgress
    ? http.upload(PROFILE_PATH, form, { method: "PUT", schema: ownProfile, onProgress })
    : http.request(PROFILE_PATH, { method: "PUT", body: form, schema: ownProfile });
}

let early: Promise<OwnProfile> | null = null;

/** Asks for the own profile while it is still being found out whose it is: one round trip less to wait for. */
export function askEarly(http: Http): void {
  early = fetchProfile(http);
  // Whoever takes the promise gets its failure; a person who is led to the log-in page needs none.
  early.catch(() => undefined);
}

/** What was asked for before, if it is this person's; else, and from then on, a call of its own. */
export async function takeProfile(http: Http, username: string): Promise<OwnProfile> {
  const asked = early;
  early = null;
  const profile = await asked;
  return profile?.username === username ? profile : fetchProfile(http);
}

export type Loading =
  | { state: "loading" }
  | { state: "failed"; error: unknown }
  | { state: "ready"; profile: OwnProfile };

/** Whether one answer is younger than another, as far as their moments show. */
function isNewer(moment: string, than: string): boolean {
  return Date.parse(moment) > Date.parse(than);
}

/** The own profile from the server, again whenever another tab has changed it. */
export function useOwnProfile(services: ProfileServices, auth: AuthState) {
  const { prefix } = usePage();
  const { getHttp, getSession, goTo } = services;
  const [loading, setLoading] = useState<Loading>({ state: "loading" });
  const known = useRef("");
  const { username } = auth.user;

  const load = useCallback(async () => {
    try {
      const profile = await takeProfile(getHttp(), username);
      known.current = profile.updated_at;
      setLoading({ state: "ready", profile });
    } catch (error) {
      // A person who signs out while the answer is on its way is led on already.
      if (getSession().hasSignedOut()) return;
      if (error instanceof HttpError && error.status === 401)
        return goTo(prefix + buildLoginAddress(window.location));
      console.warn("The profile could not be loaded.", error);
      setLoading((before) => (before.state === "ready" ? before : { state: "failed", error }));
    }
  }, [getHttp, getSession, goTo, prefix, username]);

  useEffect(() => void load(), [load]);

  const { updated_at: confirmedAt } = auth.profile;
  useEffect(() => {
    if (!known.current || !isNewer(confirmedAt, known.current)) return;
    known.current = confirmedAt;
    void load();
  }, [confirmedAt, load]);

  const take = useCallback(
    (profile: OwnProfile) => {
      // Two answers may pass each other on their way.
      if (isNewer(known.current, profile.updated_at)) return;
      known.current = profile.updated_at;
      setLoading({ state: "ready", profile });
      getSession()
        .restore()
        .catch((error: unknown) => console.warn("What this browser remembers is not up to date.", error));
    },
    [getSession],
  );

  return {
    loading,
    take,
    retry() {
      setLoading({ state: "loading" });
      void load();
    },
  };
}

/** What every part of the profile shares. */
export interface ProfileContextValue {
  profile: OwnProfile;
  auth: AuthState;
  services: ProfileServices;
  /** Shows what the server answered, and lets this tab's and other tabs' `auth_state` follow. */
  take: (profile: OwnProfile) => void;
  /** Makes a call; when the session has ended, the person signs in again in place and the call is made once more. */
  withSession: <T>(call: () => Promise<T>) => Promise<T>;
  /** Shows a line of success for a moment; an empty one takes it away. */
  announce: (text: string) => void;
  /** Loads another document on purpose: nothing asks about unsaved edits, which stay kept for this tab. */
  leaveTo: (address: string) => void;
  /** Whether that has begun. */
  isLeaving: RefObject<boolean>;
}

export const ProfileContext = createContext<ProfileContextValue | null>(null);

export function useProfile(): ProfileContextValue {
  const value = use(ProfileContext);
  if (!value) throw new Error("useProfile is called outside of ProfileContext.");
  return value;
}

/** Specification A section 9. */
const SHOWN_MS = 2_500;

/** A line that comes and goes. */
export function useBanner() {
  const [shown, setShown] = useState<{ text: string } | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return {
    text: shown?.text ?? "",
    // An object of its own each time: the same text begins anew.
    show: useCallback((text: string) => setShown(text ? { text } : null), []),
  };
}

interface Waiting {
  goOn: () => void;
  giveUp: () => void;
}

/**
 * Calls that survive the end of the session: a 401, which comes through only when the session could not be renewed, waits
 * until the person has signed in again. Who doesn't gets the failure of the call.
 */
export function useSignInAgain() {
  const waiting = useRef<Waiting[]>([]);
  const [isAsking, setIsAsking] = useState(false);

  const withSession = useCallback(async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 401)) throw error;
      await new Promise<void>((resolve, reject) => {
        waiting.current.push({ goOn: resolve, giveUp: () => reject(error) });
        setIsAsking(true);
      });
      return call();
    }
  }, []);

  const end = (answer: keyof Waiting) => {
    setIsAsking(false);
    for (const one of waiting.current.splice(0)) one[answer]();
  };
  return { withSession, isAsking, goOn: () => end("goOn"), giveUp: () => end("giveUp") };
}
