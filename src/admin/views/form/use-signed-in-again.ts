import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useServices } from "../../services.ts";

/** `other`: this browser is signed in as somebody else by now, in another tab. */
export type Presence = { kind: "here" } | { kind: "gone" } | { kind: "other"; username: string };

/** Who opened the form, and whether they are still signed in. `onReturn`: they are again, after they were not. */
export function useSignedInAgain(onReturn: () => void) {
  const { session } = useServices();
  const queryClient = useQueryClient();
  const [person] = useState(() => session.getAuthState()?.user);
  const state = useSyncExternalStore(session.subscribe, session.getAuthState);
  const isSame = state !== null && state.user.id === person?.id;
  const wasHere = useRef(isSame);
  const latest = useRef(onReturn);
  useEffect(() => {
    latest.current = onReturn;
  });
  useEffect(() => {
    const isReturn = isSame && !wasHere.current;
    wasHere.current = isSame;
    if (!isReturn) return;
    latest.current();
    // Whatever was refused meanwhile behind the form.
    void queryClient.refetchQueries({ type: "active", predicate: (query) => query.state.status === "error" });
  }, [isSame, queryClient]);
  const presence: Presence = isSame
    ? { kind: "here" }
    : state === null
      ? { kind: "gone" }
      : { kind: "other", username: state.user.username };
  return { person, presence };
}
