import { useState, useSyncExternalStore } from "react";
import type { AuthState } from "#providers/http/auth-state.ts";
import type { Session } from "#providers/http/session.ts";

/** Who is signed in, live. The last known person stays while the session is over, until they have signed in again. */
export function useLiveAuth(
  session: Pick<Session, "subscribe" | "getAuthState">,
  first: AuthState,
): AuthState {
  const now = useSyncExternalStore(session.subscribe, session.getAuthState);
  const [known, setKnown] = useState(first);
  if (now && now !== known) setKnown(now);
  return now ?? known;
}
