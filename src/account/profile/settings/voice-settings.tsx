import { usePage } from "../../../ui/page-context.tsx";
import { useAccountText } from "../../account-text.tsx";
import { Choice, Slider, Toggle } from "./controls.tsx";
import { usePreference } from "./use-preference.ts";

/** How the person hears and is heard in voice rooms (contract/accounts/preferences.ts has limits and defaults). */
export function VoiceSettings() {
  const t = useAccountText();
  const { lang } = usePage();
  const slider = { isSlider: true };
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
