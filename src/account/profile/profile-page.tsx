import "../account.css";
import "./profile.css";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { OwnProfile } from "#contract/accounts/own-account.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import type { Session } from "#providers/http/session.ts";
import { toReason } from "../../ui/failure-text.ts";
import { AccountArea, type AccountTexts, useAccountText } from "../account-area.tsx";
import { RequireSession } from "../require-session.tsx";
import { SignInAgain } from "../sign-in/sign-in-again.tsx";
import { Avatar } from "./editor/pictures.tsx";
import {
  askEarly,
  BROWSER_SERVICES,
  ProfileContext,
  type ProfileContextValue,
  type ProfileServices,
  useBanner,
  useOwnProfile,
  useSignInAgain,
} from "./own-profile.tsx";
import { ProfileScreen } from "./profile-screen.tsx";

/** Picture and name, as far as this browser remembers them; else their shapes. */
function Head({ auth }: { auth: AuthState | null }) {
  const t = useAccountText();
  if (!auth) {
    return (
      <>
        <div className="profile-avatar" />
        <div className="profile-names">
          <div className="skeleton skeleton-title" />
          <div className="skeleton skeleton-line" />
        </div>
      </>
    );
  }
  const { username, display_name } = auth.user;
  const name = display_name || username;
  return (
    <>
      <Avatar
        username={username}
        picture={auth.profile.avatar}
        alt={t("profile:picture.avatarOf", { name })}
      />
      <div className="profile-names">
        <h1>{name}</h1>
        <p className="profile-handle">@{username}</p>
      </div>
    </>
  );
}

/** The shape of the profile while it is on its way, with what is known of the person already. */
export function ProfileSkeleton({ auth = null }: { auth?: AuthState | null }) {
  const t = useAccountText();
  return (
    <section className="profile" aria-busy="true">
      <p className="visually-hidden" role="status">
        {t("profile:page.loading")}
      </p>
      <div aria-hidden={auth ? undefined : "true"}>
        <div className="profile-cover" />
        <div className="profile-head">
          <Head auth={auth} />
        </div>
        <div className="profile-body">
          <div className="profile-main">
            <div className="skeleton skeleton-tabs" />
            <div className="skeleton skeleton-panel" />
          </div>
          <div className="profile-side">
            <div className="skeleton skeleton-card" />
            <div className="skeleton skeleton-card" />
          </div>
        </div>
      </div>
    </section>
  );
}

/** The same while it is found out who looks at it; the server draws it for everybody alike. */
export function WaitingProfile({ services = BROWSER_SERVICES }: { services?: ProfileServices }) {
  const [auth, setAuth] = useState<AuthState | null>(null);
  useEffect(() => {
    const remembered = services.getSession().getAuthState();
    if (!remembered) return;
    setAuth(remembered);
    askEarly(services.getHttp());
  }, [services]);
  return <ProfileSkeleton auth={auth} />;
}

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

interface ProfileViewProps {
  profile: OwnProfile;
  auth: AuthState;
  services: ProfileServices;
  take: (profile: OwnProfile) => void;
}

/** Gives the screen what its parts share, and the session back when it ends in the middle of something. */
function ProfileView({ profile, auth, services, take }: ProfileViewProps) {
  const { withSession, isAsking, goOn, giveUp } = useSignInAgain();
  const { text, show: announce } = useBanner();
  const isLeaving = useRef(false);
  const leaveTo = useCallback(
    (address: string) => {
      isLeaving.current = true;
      services.goTo(address);
    },
    [services],
  );
  const shared = useMemo<ProfileContextValue>(
    () => ({ profile, auth, services, take, withSession, announce, leaveTo, isLeaving }),
    [profile, auth, services, take, withSession, announce, leaveTo],
  );
  return (
    <ProfileContext value={shared}>
      <ProfileScreen banner={text} />
      {isAsking && (
        <SignInAgain
          username={auth.user.username}
          getSession={services.getSession}
          onSignedIn={goOn}
          onCancel={giveUp}
        />
      )}
    </ProfileContext>
  );
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
