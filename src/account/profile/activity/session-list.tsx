import { useCallback, useState } from "react";
import { type AccountSession, sessionsAnswer } from "#contract/accounts/own-account.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { toFailureText } from "../../../ui/failure-text.ts";
import { FormAlert } from "../../../ui/form-messages.tsx";
import { usePage } from "../../../ui/page-context.tsx";
import { useAccountText } from "../../account-area.tsx";
import { useProfile } from "../own-profile.tsx";
import { RowsFailed, RowsSkeleton, useLoaded } from "../use-loaded.tsx";
import { Moment } from "./moment.tsx";

const SESSIONS_PATH = "/api/users/sessions/";

/** Where the person is signed in; ends one session, or all of them and with them this one. */
function useSessions() {
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

interface EndAllDialogProps {
  count: number;
  /** Answers why it failed. */
  endAll: () => Promise<string | undefined>;
  onClose: () => void;
}

/** Names what ends before it does. */
function EndAllDialog({ count, endAll, onClose }: EndAllDialogProps) {
  const t = useAccountText();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState("");
  async function confirm() {
    setIsBusy(true);
    const fault = await endAll();
    if (fault === undefined) return;
    setError(fault);
    setIsBusy(false);
  }
  return (
    <Dialog title={t("profile:sessions.everywhereTitle")} onCancel={isBusy ? undefined : onClose}>
      <p>{t("profile:sessions.everywhereText", { count })}</p>
      <FormAlert>{error}</FormAlert>
      <div className="dialog-buttons">
        <button type="button" className="button-quiet" disabled={isBusy} onClick={onClose}>
          {t("profile:sessions.cancel")}
        </button>
        <button type="button" className="button-danger" disabled={isBusy} onClick={() => void confirm()}>
          {t(isBusy ? "profile:sessions.signingOut" : "profile:sessions.everywhereConfirm")}
        </button>
      </div>
    </Dialog>
  );
}

interface SessionRowProps {
  session: AccountSession;
  isBusy: boolean;
  onEnd: (device: string) => void;
}

function SessionRow({ session, isBusy, onEnd }: SessionRowProps) {
  const t = useAccountText();
  const device = session.device || t("profile:sessions.unknownDevice");
  const [before, after] = t("profile:sessions.lastUsed").split("{{when}}");
  return (
    <li className="session-row">
      <p>
        {device}
        {session.is_current && <strong className="this-device">{t("profile:sessions.this")}</strong>}
      </p>
      <p className="activity-facts">
        {before}
        <Moment at={session.last_used_at} />
        {after}
        {session.ip_address && ` · ${session.ip_address}`}
      </p>
      {!session.is_current && (
        <button
          type="button"
          className="button-quiet"
          aria-label={t("profile:sessions.signOutOf", { device })}
          disabled={isBusy}
          onClick={() => onEnd(device)}
        >
          {t(isBusy ? "profile:sessions.signingOut" : "profile:sessions.signOut")}
        </button>
      )}
    </li>
  );
}

/** Active sessions: this one first and marked. */
export function SessionList() {
  const t = useAccountText();
  const { loaded, retry, busy, error, end, endAll } = useSessions();
  const [isAsking, setIsAsking] = useState(false);
  switch (loaded.state) {
    case "loading":
      return <RowsSkeleton label={t("profile:sessions.loading")} />;
    case "failed":
      return <RowsFailed text={t("profile:sessions.failed")} error={loaded.error} onRetry={retry} />;
    case "ready": {
      const sessions = loaded.value.toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
      return (
        <>
          <FormAlert>{error}</FormAlert>
          <ul className="rows">
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isBusy={busy === session.id}
                onEnd={(device) => void end(session, device)}
              />
            ))}
          </ul>
          <button type="button" className="button-quiet" onClick={() => setIsAsking(true)}>
            {t("profile:sessions.everywhere")}
          </button>
          {isAsking && (
            <EndAllDialog count={sessions.length} endAll={endAll} onClose={() => setIsAsking(false)} />
          )}
        </>
      );
    }
  }
}
