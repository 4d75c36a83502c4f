import { useState } from "react";
import type { AccountSession } from "#contract/accounts/own-account.ts";
import { FormAlert } from "../../../ui/form-messages.tsx";
import { useAccountText } from "../../account-text.tsx";
import { RowsFailed, RowsSkeleton } from "../load-states.tsx";
import { EndAllDialog } from "./end-all-dialog.tsx";
import { Moment } from "./moment.tsx";
import { useSessions } from "./use-sessions.ts";

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
