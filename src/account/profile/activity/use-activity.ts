import { useCallback, useState } from "react";
import { activityAnswer } from "#contract/accounts/own-account.ts";
import type { Http } from "#providers/http/http.ts";
import { useProfile } from "../profile-context.tsx";
import { useLoaded } from "../use-loaded.tsx";

function fetchPage(http: Http, before: number | null) {
  const query = before === null ? "" : `?before=${before}`;
  return http.request(`/api/users/activity/${query}`, { schema: activityAnswer });
}

/** The person's own entries of the audit log, newest first, a page at a time. */
export function useActivity() {
  const { services, withSession } = useProfile();
  const { getHttp } = services;
  const load = useCallback(() => withSession(() => fetchPage(getHttp(), null)), [getHttp, withSession]);
  const { loaded, change, retry } = useLoaded(load);
  const [older, setOlder] = useState<{ state: "idle" | "loading" } | { state: "failed"; error: unknown }>({
    state: "idle",
  });

  async function loadOlder() {
    if (loaded.state !== "ready" || older.state === "loading") return;
    setOlder({ state: "loading" });
    try {
      const page = await withSession(() => fetchPage(getHttp(), loaded.value.next_before));
      change((known) => ({ ...page, entries: [...known.entries, ...page.entries] }));
      setOlder({ state: "idle" });
    } catch (error) {
      setOlder({ state: "failed", error });
    }
  }

  return { loaded, retry, older, loadOlder };
}
