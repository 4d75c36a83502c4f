import { usePage } from "../../ui/page-context.tsx";
import { useAccountText } from "../account-area.tsx";
import { EmailAddress } from "../forms/send-code.tsx";
import { useProfile } from "./own-profile.tsx";

/** Whether the address is proven, in words and by a sign. */
function EmailState() {
  const t = useAccountText();
  const { profile, auth } = useProfile();
  const isVerified = auth.user.is_email_verified;
  return (
    <>
      <span className="email-state" data-good={isVerified || undefined}>
        <span aria-hidden="true">{isVerified ? "✓ " : "! "}</span>
        {t(isVerified ? "profile:card.verified" : "profile:card.unverified")}
      </span>
      {profile.pending_email && (
        <span className="email-state">
          <span aria-hidden="true">… </span>
          {t("profile:card.pending", { email: profile.pending_email })}
        </span>
      )}
    </>
  );
}

function Texts() {
  const t = useAccountText();
  const { profile } = useProfile();
  const none = <span className="empty-value">{t("profile:card.none")}</span>;
  return (
    <>
      <dt>{t("profile:card.firstName")}</dt>
      <dd>{profile.first_name || none}</dd>
      <dt>{t("profile:card.lastName")}</dt>
      <dd>{profile.last_name || none}</dd>
      <dt>{t("profile:card.bio")}</dt>
      <dd className="prose">
        {profile.bio || <span className="empty-value">{t("profile:card.noBio")}</span>}
      </dd>
    </>
  );
}

/**
 * Who the person is, as saved (specification A 2.10). Beside the form, which shows the same texts, it has only what the form
 * doesn't.
 */
export function AboutCard({ isFormShown }: { isFormShown: boolean }) {
  const t = useAccountText();
  const { profile, auth } = useProfile();
  return (
    <section className="side-card" aria-labelledby="profile-about">
      <h2 id="profile-about">{t("profile:card.about")}</h2>
      <dl>
        <dt>{t("profile:card.email")}</dt>
        <dd>
          {!isFormShown && <EmailAddress email={profile.email} />}
          <EmailState />
        </dd>
        {!isFormShown && <Texts />}
        <dt>{t("profile:card.level")}</dt>
        <dd>{auth.user.access_level_name}</dd>
      </dl>
    </section>
  );
}

/** Specification A 2.10: nothing of it is counted, and each says so by a dash. */
export function StatsCard() {
  const t = useAccountText();
  return (
    <section className="side-card" aria-labelledby="profile-stats">
      <h2 id="profile-stats">{t("profile:card.stats")}</h2>
      <dl className="stats">
        {(["posts", "followers", "following"] as const).map((name) => (
          <div key={name}>
            <dt>{t(`profile:card.${name}`)}</dt>
            <dd>
              <span aria-hidden="true">—</span>
              <span className="visually-hidden">{t("profile:card.notCounted")}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What is often wanted, and since when the person is a member. */
export function ActionsCard({ onChangePassword }: { onChangePassword: () => void }) {
  const t = useAccountText();
  const { lang } = usePage();
  const { profile, auth } = useProfile();
  const date =
    profile.created_at &&
    new Intl.DateTimeFormat(lang, { dateStyle: "long" }).format(new Date(profile.created_at));
  return (
    <section className="side-card" aria-labelledby="profile-actions">
      <h2 id="profile-actions">{t("profile:card.actions")}</h2>
      <button type="button" className="button-quiet" onClick={onChangePassword}>
        {t("profile:card.changePassword")}
      </button>
      {auth.profile.can_access_admin && (
        <a className="button-quiet" href="/admin">
          {t("profile:page.console")}
        </a>
      )}
      {date && <p className="member-since">{t("profile:page.memberSince", { date })}</p>}
    </section>
  );
}
