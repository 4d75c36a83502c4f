import { useCallback, useState } from "react";
import { type AccountSession, sessionsAnswer } from "#contract/accounts/own-account.ts";
import { toFailureText } from "../../../ui/failure-text.ts";
import { usePage } from "../../../ui/page-context.tsx";
import { useAccountText } from "../../account-text.tsx";
import { useProfile } from "../profile-context.tsx";
import { useLoaded } from "../use-loaded.tsx";

const SESSIONS_PATH = "/api/users/sessions/";

/** Where the person is signed in; ends one session, or all of them and with them this one. */
export function useSessions() {
  const t = useAccountText();
  const { prefix } = usePage();
  const { services, withSession, announce, leaveTo } = useProfile();
  const { getHttp, getSession } = services;
  const load = useCallback(
    async () =>
      (await withSession(() => getHttp().request(SESSIONS_PATH, { schema: sessionsAnswer }))).sessions,
    [getHttp, withSession],
  );
  const { loaded, change, retry } = useLoaded(load);
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState("");

  async function end(session: AccountSession, device: string) {
    setBusy(session.id);
    setError("");
    try {
      await withSession(() => getHttp().request(`${SESSIONS_PATH}${session.id}/`, { method: "DELETE" }));
      change((sessions) => sessions.filter(({ id }) => id !== session.id));
      announce(t("profile:sessions.signedOut", { device }));
    } catch (failure) {
      setError(toFailureText(failure, t("profile:sessions.signOutFailed"), t));
    } finally {
      setBusy(null);
    }
  }

  /** @returns why it failed; nothing when the person is on the way to the log-in page. */
  async function endAll(): Promise<string | undefined> {
    try {
      await withSession(() => getHttp().request(SESSIONS_PATH, { method: "DELETE" }));
    } catch (failure) {
      return toFailureText(failure, t("profile:sessions.everywhereFailed"), t);
    }
    await getSession().signOut();
    leaveTo(`${prefix}/login`);
    return undefined;
  }

  return { loaded, retry, busy, error, end, endAll };
}
