import type { ReactNode } from "react";
import { LIMITS } from "#contract/limits.ts";
import { usePage } from "../../../ui/page-context.tsx";
import { useAccountText } from "../../account-area.tsx";
import { useProfile } from "../own-profile.tsx";
import { AppearanceSettings, type AskBeforeLoss } from "./appearance-settings.tsx";
import { OwnData } from "./own-data.tsx";
import { Choice, Line, Slider, Toggle, usePreference } from "./setting.tsx";

/** Notices that a person may do without. */
function NotificationSettings() {
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
function PrivacySettings() {
  const t = useAccountText();
  const { auth } = useProfile();
  const isSearchable = usePreference("privacy_settings", "is_searchable");
  const showOnline = usePreference("privacy_settings", "show_online");
  const showProfile = usePreference("privacy_settings", "show_profile");
  const shownName = usePreference("privacy_settings", "shown_name", { isMoved: true });
  return (
    <>
      <Toggle label={t("profile:settings.isSearchable")} setting={isSearchable} />
      <Toggle label={t("profile:settings.showOnline")} setting={showOnline} />
      <Toggle
        label={t("profile:settings.showProfile")}
        hint={t("profile:settings.showProfileHint")}
        setting={showProfile}
      />
      <Line
        label={t("profile:settings.shownName")}
        hint={t("profile:settings.shownNameHint")}
        setting={shownName}
        maxLength={LIMITS.shownNameMaxChars}
        autoComplete="nickname"
        placeholder={`#${auth.user.id}`}
      />
    </>
  );
}

/** How the person hears and is heard in voice rooms (contract/accounts/accounts.ts has limits and defaults). */
function VoiceSettings() {
  const t = useAccountText();
  const { lang } = usePage();
  const slider = { isMoved: true };
  const sensitivity = usePreference("voice_preferences", "sensitivity", slider);
  const volume = usePreference("voice_preferences", "volume", slider);
  const gain = usePreference("voice_preferences", "microphone_gain", slider);
  const quality = usePreference("voice_preferences", "quality");
  const autoMute = usePreference("voice_preferences", "auto_mute");
  const autoMuteOnJoin = usePreference("voice_preferences", "auto_mute_on_join");
  const autoVideoOff = usePreference("voice_preferences", "auto_video_off");
  const echoCancellation = usePreference("voice_preferences", "echo_cancellation");
  const noiseSuppression = usePreference("voice_preferences", "noise_suppression");
  const pushToTalk = usePreference("voice_preferences", "push_to_talk");
  const hideAddress = usePreference("voice_preferences", "hide_address");
  const sounds = usePreference("voice_preferences", "sounds");
  const percent = new Intl.NumberFormat(lang, { style: "percent" });
  const toShare = (value: number) => percent.format(value);
  return (
    <>
      <Slider
        label={t("profile:settings.sensitivity")}
        hint={t("profile:settings.sensitivityHint")}
        setting={sensitivity}
        min={10}
        max={50}
        step={1}
        toText={(value) => toShare(value / 100)}
      />
      <Slider
        label={t("profile:settings.microphoneGain")}
        setting={gain}
        min={0}
        max={2}
        step={0.05}
        toText={toShare}
      />
      <Slider
        label={t("profile:settings.volume")}
        setting={volume}
        min={0}
        max={1}
        step={0.05}
        toText={toShare}
      />
      <Choice
        label={t("profile:settings.quality")}
        setting={quality}
        options={[
          { value: "low", text: t("profile:settings.qualityLow") },
          { value: "medium", text: t("profile:settings.qualityMedium") },
          { value: "high", text: t("profile:settings.qualityHigh") },
        ]}
      />
      <Toggle label={t("profile:settings.autoMute")} setting={autoMute} />
      <Toggle label={t("profile:settings.autoMuteOnJoin")} setting={autoMuteOnJoin} />
      <Toggle label={t("profile:settings.autoVideoOff")} setting={autoVideoOff} />
      <Toggle label={t("profile:settings.echoCancellation")} setting={echoCancellation} />
      <Toggle label={t("profile:settings.noiseSuppression")} setting={noiseSuppression} />
      <Toggle
        label={t("profile:settings.pushToTalk")}
        hint={t("profile:settings.pushToTalkHint")}
        setting={pushToTalk}
      />
      <Choice
        label={t("profile:settings.hideAddress")}
        hint={t("profile:settings.hideAddressHint")}
        setting={hideAddress}
        options={[
          { value: "auto", text: t("profile:settings.hideAddressAuto") },
          { value: "always", text: t("profile:settings.hideAddressAlways") },
          { value: "never", text: t("profile:settings.hideAddressNever") },
        ]}
      />
      <Toggle label={t("profile:settings.sounds")} setting={sounds} />
    </>
  );
}

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="tab-section" aria-labelledby={`settings-${id}`}>
      <h2 id={`settings-${id}`}>{title}</h2>
      {children}
    </section>
  );
}

/** Every setting is saved when it is changed. */
export function SettingsTab({ askBeforeLoss }: { askBeforeLoss: AskBeforeLoss }) {
  const t = useAccountText();
  return (
    <>
      <Group id="appearance" title={t("profile:settings.appearance")}>
        <AppearanceSettings askBeforeLoss={askBeforeLoss} />
      </Group>
      <Group id="voice" title={t("profile:settings.voice")}>
        <VoiceSettings />
      </Group>
      <Group id="notifications" title={t("profile:settings.notifications")}>
        <NotificationSettings />
      </Group>
      <Group id="privacy" title={t("profile:settings.privacy")}>
        <PrivacySettings />
      </Group>
      <Group id="data" title={t("profile:data.title")}>
        <OwnData />
      </Group>
    </>
  );
}
