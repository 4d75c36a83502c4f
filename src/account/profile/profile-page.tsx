import type { AuthState } from "#providers/auth-state.ts";
import { useAccountText } from "../account-text.tsx";

/** Who is signed in (specification A 2.10, the part that only reads). */
export function ProfilePage({ auth: { user } }: { auth: AuthState }) {
  const t = useAccountText();
  const facts = [
    [t("profile:card.username"), user.username],
    [t("profile:card.email"), user.email],
    [t("profile:card.level"), user.access_level_name],
  ] as const;
  return (
    <section className="account-card">
      <p className="avatar" aria-hidden="true">
        {user.username.slice(0, 2).toUpperCase()}
      </p>
      <h1>{user.display_name || user.username}</h1>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {user.profile.can_access_admin && (
        <a className="button" href="/admin">
          {t("profile:card.console")}
        </a>
      )}
    </section>
  );
}
