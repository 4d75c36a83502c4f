import { useAccountText } from "../../account-text.tsx";
import { Choice, Toggle } from "./controls.tsx";
import { usePreference } from "./use-preference.ts";

/** Notices that a person may do without. */
export function NotificationSettings() {
  const t = useAccountText();
  const newSignIn = usePreference("notification_preferences", "new_sign_in");
  const roomEntered = usePreference("notification_preferences", "room_entered");
  const choose = (value: typeof roomEntered.value) => {
    // Asked for here, in the click, because browsers refuse it anywhere else.
    if (value === "browser" && "Notification" in window && Notification.permission === "default")
      void Notification.requestPermission();
    roomEntered.choose(value);
  };
  return (
    <>
      <Toggle
        label={t("profile:settings.newSignIn")}
        hint={t("profile:settings.newSignInHint")}
        setting={newSignIn}
      />
      <Choice
        label={t("profile:settings.roomEntered")}
        hint={t("profile:settings.roomEnteredHint")}
        setting={{ ...roomEntered, choose }}
        options={[
          { value: "off", text: t("profile:settings.roomEnteredOff") },
          { value: "browser", text: t("profile:settings.roomEnteredBrowser") },
          { value: "mail", text: t("profile:settings.roomEnteredMail") },
        ]}
      />
    </>
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
