import { useCallback, useEffect, useRef, useState } from "react";
import type { OwnProfile } from "#contract/accounts/own-account.ts";
import { buildLoginAddress } from "#providers/http/auth.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import { usePage } from "../../ui/page-context.tsx";
import { takeProfile } from "./early-profile.ts";
import type { ProfileServices } from "./own-profile.tsx";

export type Loading =
  | { state: "loading" }
  | { state: "failed"; error: unknown }
  | { state: "ready"; profile: OwnProfile };

/** Whether one answer is younger than another, as far as their moments tell. */
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
      // Who signs out while the answer is on its way is led on already.
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
