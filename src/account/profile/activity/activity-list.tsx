import type { ActivityEntry } from "#contract/accounts/own-account.ts";
import { useAccountText } from "../../account-text.tsx";
import { RowsFailed, RowsSkeleton } from "../load-states.tsx";
import { useProfile } from "../profile-context.tsx";
import { ActivityMark } from "./activity-icon.tsx";
import { describeActivity } from "./activity-sentence.ts";
import { Moment } from "./moment.tsx";
import { useActivity } from "./use-activity.ts";

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
