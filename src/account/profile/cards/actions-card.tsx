import { usePage } from "../../../ui/page-context.tsx";
import { useAccountText } from "../../account-text.tsx";
import { useProfile } from "../profile-context.tsx";

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
