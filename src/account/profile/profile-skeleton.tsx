import { useEffect, useState } from "react";
import type { AuthState } from "#providers/http/auth-state.ts";
import { useAccountText } from "../account-area.tsx";
import { Avatar } from "./editor/pictures.tsx";
import { askEarly, BROWSER_SERVICES, type ProfileServices } from "./own-profile.tsx";

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
