import { useAccountText } from "../../account-text.tsx";
import { ActivityList } from "./activity-list.tsx";
import { SessionList } from "./session-list.tsx";

/** Sessions first: who comes here after a warning wants to end one. */
export function ActivityTab() {
  const t = useAccountText();
  return (
    <>
      <section className="tab-section" aria-labelledby="profile-sessions">
        <h2 id="profile-sessions">{t("profile:sessions.title")}</h2>
        <SessionList />
      </section>
      <section className="tab-section" aria-labelledby="profile-activity">
        <h2 id="profile-activity">{t("profile:activity.title")}</h2>
        <ActivityList />
      </section>
    </>
  );
}
