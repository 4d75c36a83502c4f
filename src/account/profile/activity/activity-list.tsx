import { useCallback, useState } from "react";
import { type ActivityEntry, activityAnswer } from "#contract/accounts/own-account.ts";
import type { Http } from "#providers/http/http.ts";
import { type AccountText, useAccountText } from "../../account-area.tsx";
import { useProfile } from "../own-profile.tsx";
import { RowsFailed, RowsSkeleton, useLoaded } from "../use-loaded.tsx";
import { Moment } from "./moment.tsx";

type Key = Parameters<AccountText>[0];
type ActivityIcon = "enter" | "leave" | "key" | "warning" | "edit" | "add" | "remove" | "look";

interface Kind {
  key: Key;
  icon: ActivityIcon;
}

/** What the audit log calls things, where the six types of action are too coarse. */
const BY_DETAIL: Readonly<Record<string, Kind>> = {
  failed_sign_in: { key: "profile:activity.failedSignIn", icon: "warning" },
  too_many_sign_ins: { key: "profile:activity.tooManySignIns", icon: "warning" },
  insufficient_permissions: { key: "profile:activity.consoleRefused", icon: "warning" },
  failed_confirmation: { key: "profile:activity.failedConfirmation", icon: "warning" },
  too_many_confirmations: { key: "profile:activity.failedConfirmation", icon: "warning" },
  failed_code: { key: "profile:activity.failedCode", icon: "warning" },
  token_reuse: { key: "profile:activity.tokenReuse", icon: "warning" },
  register: { key: "profile:activity.registered", icon: "add" },
  setup: { key: "profile:activity.setUp", icon: "add" },
  create_superuser: { key: "profile:activity.setUp", icon: "add" },
  verify_email: { key: "profile:activity.emailVerified", icon: "key" },
  change_email: { key: "profile:activity.emailChanged", icon: "key" },
  change_password: { key: "profile:activity.passwordChanged", icon: "key" },
  password_reset: { key: "profile:activity.passwordReset", icon: "key" },
  app_added: { key: "profile:activity.appAdded", icon: "key" },
  app_removed: { key: "profile:activity.appRemoved", icon: "key" },
  passkey_added: { key: "profile:activity.passkeyAdded", icon: "key" },
  passkey_removed: { key: "profile:activity.passkeyRemoved", icon: "key" },
  recovery_codes_made: { key: "profile:activity.recoveryCodesMade", icon: "key" },
  factors_removed: { key: "profile:activity.factorsRemoved", icon: "warning" },
  failed_second_factor: { key: "profile:activity.failedSecondFactor", icon: "warning" },
  confirmed: { key: "profile:activity.confirmed", icon: "key" },
  session_revoked: { key: "profile:activity.sessionRevoked", icon: "leave" },
  signed_out_everywhere: { key: "profile:activity.sessionsRevoked", icon: "leave" },
  try_address: { key: "profile:activity.addressTried", icon: "key" },
  profile: { key: "profile:activity.profileChanged", icon: "edit" },
};

/** Ways in other than a password: what opened the session has an entry of its own. */
const OPENED_BY = ["verify_email", "password_reset", "setup", "app_code", "recovery_code", "passkey"];

/** Without a name of what it was done to. */
const BY_ACTION: Readonly<Record<ActivityEntry["action_type"], Kind>> = {
  LOGIN: { key: "profile:activity.signedIn", icon: "enter" },
  LOGOUT: { key: "profile:activity.signedOut", icon: "leave" },
  CREATE: { key: "profile:activity.createdSomething", icon: "add" },
  UPDATE: { key: "profile:activity.updatedSomething", icon: "edit" },
  DELETE: { key: "profile:activity.deletedSomething", icon: "remove" },
  VIEW: { key: "profile:activity.viewedSomething", icon: "look" },
};

const WITH_OBJECT: Readonly<Partial<Record<ActivityEntry["action_type"], Key>>> = {
  CREATE: "profile:activity.created",
  UPDATE: "profile:activity.updated",
  DELETE: "profile:activity.deleted",
  VIEW: "profile:activity.viewed",
};

/** What an entry of the audit log says to the person who did it, as a sentence with an icon. */
function describeActivity(
  { action_type, detail, object_repr }: ActivityEntry,
  username: string,
  t: AccountText,
): { sentence: string; icon: ActivityIcon } {
  if (detail === "export") {
    // One's own data, or the rows of a model.
    const isOwn = object_repr === null || object_repr === username;
    const sentence = isOwn
      ? t("profile:activity.exported")
      : t("profile:activity.exportedObject", { object: object_repr });
    return { sentence, icon: "look" };
  }
  const isPlain = detail === null || (action_type === "LOGIN" && OPENED_BY.includes(detail));
  const named = isPlain ? undefined : BY_DETAIL[detail];
  if (named) return { sentence: t(named.key), icon: named.icon };
  const { key, icon } = BY_ACTION[action_type];
  const withObject = object_repr ? WITH_OBJECT[action_type] : undefined;
  return { sentence: withObject ? t(withObject, { object: object_repr ?? "" }) : t(key), icon };
}

const PATHS: Readonly<Record<ActivityIcon, string>> = {
  enter: "M14 4h5v16h-5M4 12h10M10 8l4 4-4 4",
  leave: "M10 4H5v16h5M10 12h10M16 8l4 4-4 4",
  key: "M7.5 19.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM10.5 12.5 19 4M15 8l3 3",
  warning: "M12 4 2.5 20h19L12 4ZM12 10v4M12 17h.01",
  edit: "M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4",
  add: "M12 5v14M5 12h14",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  look: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
};

/** Says nothing that the sentence beside it doesn't say. */
function ActivityMark({ icon }: { icon: ActivityIcon }) {
  return (
    <svg className="activity-mark" data-icon={icon} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[icon]} />
    </svg>
  );
}

function fetchPage(http: Http, before: number | null) {
  const query = before === null ? "" : `?before=${before}`;
  return http.request(`/api/users/activity/${query}`, { schema: activityAnswer });
}

/** The person's own entries of the audit log, newest first, a page at a time. */
function useActivity() {
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

function ActivityRow({ entry }: { entry: ActivityEntry }) {
  const t = useAccountText();
  const { profile } = useProfile();
  const { sentence, icon } = describeActivity(entry, profile.username, t);
  return (
    <li className="activity-row">
      <ActivityMark icon={icon} />
      <p>{sentence}</p>
      <p className="activity-facts">
        <Moment at={entry.timestamp} />
        {entry.ip_address && ` · ${t("profile:activity.from", { address: entry.ip_address })}`}
      </p>
    </li>
  );
}

/** Own sign-ins and actions, in plain sentences. */
export function ActivityList() {
  const t = useAccountText();
  const { loaded, retry, older, loadOlder } = useActivity();
  switch (loaded.state) {
    case "loading":
      return <RowsSkeleton label={t("profile:activity.loading")} />;
    case "failed":
      return <RowsFailed text={t("profile:activity.failed")} error={loaded.error} onRetry={retry} />;
    case "ready": {
      const { entries, next_before } = loaded.value;
      if (entries.length === 0) return <p className="empty-value">{t("profile:activity.empty")}</p>;
      return (
        <>
          <ul className="rows">
            {entries.map((entry) => (
              <ActivityRow key={entry.id} entry={entry} />
            ))}
          </ul>
          {older.state === "failed" ? (
            <RowsFailed text={t("profile:activity.failed")} error={older.error} onRetry={loadOlder} />
          ) : (
            next_before !== null && (
              <button
                type="button"
                className="button-quiet"
                disabled={older.state === "loading"}
                onClick={loadOlder}
              >
                {t(older.state === "loading" ? "profile:activity.loading" : "profile:activity.more")}
              </button>
            )
          )}
        </>
      );
    }
  }
}
