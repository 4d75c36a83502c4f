import "./profile.css";
import { useState, useSyncExternalStore } from "react";
import type { AuthState } from "#providers/http/auth-state.ts";
import type { Session } from "#providers/http/session.ts";
import { toReason } from "../../ui/failure-text.ts";
import { AccountArea, type AccountTexts, useAccountText } from "../account-area.tsx";
import { RequireSession } from "../require-session.tsx";
import { BROWSER_SERVICES, type ProfileServices, useOwnProfile } from "./own-profile.tsx";
import { ProfileSkeleton, WaitingProfile } from "./profile-skeleton.tsx";
import { ProfileView } from "./profile-view.tsx";

/** The profile could not be loaded: why, and the way to try again. */
function ProfileFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useAccountText();
  return (
    <section className="notice-page">
      <div className="alert" role="alert">
        <p>{t("profile:page.failed")}</p>
        <p>{toReason(error, t) || t("profile:page.failedHint")}</p>
      </div>
      <button className="button" type="button" onClick={onRetry}>
        {t("profile:page.retry")}
      </button>
    </section>
  );
}

/** Who is signed in, live. The last known person stays while the session is over, until they have signed in again. */
function useLiveAuth(session: Pick<Session, "subscribe" | "getAuthState">, first: AuthState): AuthState {
  const now = useSyncExternalStore(session.subscribe, session.getAuthState);
  const [known, setKnown] = useState(first);
  if (now && now !== known) setKnown(now);
  return now ?? known;
}

interface ProfileProps {
  auth: AuthState;
  services: ProfileServices;
}

function LoadedProfile({ auth, services }: ProfileProps) {
  const { loading, take, retry } = useOwnProfile(services, auth);
  switch (loading.state) {
    case "loading":
      return <ProfileSkeleton auth={auth} />;
    case "failed":
      return <ProfileFailed error={loading.error} onRetry={retry} />;
    case "ready":
      return <ProfileView profile={loading.profile} auth={auth} services={services} take={take} />;
  }
}

/** The own profile of who is signed in (specification A 2.10). Another person's sign-in begins it anew. */
export function ProfilePage({
  auth,
  services = BROWSER_SERVICES,
}: {
  auth: AuthState;
  services?: ProfileServices;
}) {
  const live = useLiveAuth(services.getSession(), auth);
  return <LoadedProfile key={live.user.id} auth={live} services={services} />;
}

/** The profile, for signed-in people, with the texts of the account's area (specification A 2.1). */
export function GuardedProfile({ texts }: { texts: AccountTexts }) {
  return (
    <AccountArea texts={texts}>
      <RequireSession waiting={<WaitingProfile />}>{(auth) => <ProfilePage auth={auth} />}</RequireSession>
    </AccountArea>
  );
}
