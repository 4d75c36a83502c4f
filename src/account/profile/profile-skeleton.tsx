import { useAccountText } from "../account-text.tsx";

/** The shape of the profile while it is on its way; the server draws it too. */
export function ProfileSkeleton() {
  const t = useAccountText();
  return (
    <section className="profile" aria-busy="true">
      <p className="visually-hidden" role="status">
        {t("profile:page.loading")}
      </p>
      <div aria-hidden="true">
        <div className="profile-cover" />
        <div className="profile-head">
          <div className="profile-avatar" />
          <div className="profile-names">
            <div className="skeleton skeleton-title" />
            <div className="skeleton skeleton-line" />
          </div>
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
