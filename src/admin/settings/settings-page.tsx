import "../users/users.css";
import "./settings.css";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../navigation/page-header.tsx";
import { SampleCard } from "../sample/sample-card.tsx";
import { PreferencesCard } from "./preferences-card.tsx";
import { ProfileCard } from "./profile-card.tsx";

/** `/admin/settings` (specification B section 2): the profile to read, and what the console is like for its reader. */
export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("nav.settings")} text={t("settings.intro")} />
      <div className="settings">
        <ProfileCard />
        <div>
          <PreferencesCard />
          <SampleCard />
        </div>
      </div>
    </>
  );
}
