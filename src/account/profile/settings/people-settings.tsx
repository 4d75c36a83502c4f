import { useAccountText } from "../../account-text.tsx";
import { Toggle } from "./controls.tsx";
import { usePreference } from "./use-preference.ts";

/** Mails that a person may do without. */
export function NotificationSettings() {
  const t = useAccountText();
  const newSignIn = usePreference("notification_preferences", "new_sign_in");
  return (
    <Toggle
      label={t("profile:settings.newSignIn")}
      hint={t("profile:settings.newSignInHint")}
      setting={newSignIn}
    />
  );
}

/** What other signed-in people get to know. */
export function PrivacySettings() {
  const t = useAccountText();
  const isSearchable = usePreference("privacy_settings", "is_searchable");
  const showOnline = usePreference("privacy_settings", "show_online");
  const showProfile = usePreference("privacy_settings", "show_profile");
  return (
    <>
      <Toggle label={t("profile:settings.isSearchable")} setting={isSearchable} />
      <Toggle label={t("profile:settings.showOnline")} setting={showOnline} />
      <Toggle
        label={t("profile:settings.showProfile")}
        hint={t("profile:settings.showProfileHint")}
        setting={showProfile}
      />
    </>
  );
}
