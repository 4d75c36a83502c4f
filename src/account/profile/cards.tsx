import { useAccountText } from "../account-text.tsx";
import { EmailAddress } from "../parts/email-address.tsx";
import { useProfile } from "./profile-context.tsx";

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
