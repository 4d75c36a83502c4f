import { useState } from "react";
import type { VoicePreferences } from "#contract/accounts/accounts.ts";
import { usePage } from "../../ui/page-context.tsx";
import { ChoiceControl, SliderControl, ToggleControl } from "../../ui/setting-controls.tsx";
import type { Call } from "../call/call.ts";
import type { RoomState } from "../call/room-state.ts";
import { useVoiceText } from "../voice-context.tsx";
import { BlocksDialog } from "./people-dialogs.tsx";
import { Devices } from "./sound-check.tsx";
import { useMicrophone } from "./use-room.ts";

/** The state of the call as it is, for a report of a fault. It holds no text that anybody wrote. */
function DebugPanel({ call, state }: { call: Call; state: RoomState }) {
  const t = useVoiceText();
  const microphone = useMicrophone(call);
  const { texts: _private, ...shown } = state.phase === "in" ? state : { ...state, texts: [] };
  return (
    <details className="debug-panel">
      <summary>{t("call:settings.debug")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
      <pre tabIndex={0}>{JSON.stringify({ ...shown, microphone }, null, 1)}</pre>
    </details>
  );
}

interface SettingsPanelProps {
  call: Call;
  preferences: VoicePreferences;
  hasRelay: boolean;
  isMesh: boolean;
  change: (values: Partial<VoicePreferences>) => void;
  state: RoomState;
}

/** How one hears and is heard; every setting acts on the call at once and is remembered (spec/decisions.md). */
export function SettingsPanel({ call, preferences, hasRelay, isMesh, change, state }: SettingsPanelProps) {
  const t = useVoiceText();
  const { lang } = usePage();
  const percent = new Intl.NumberFormat(lang, { style: "percent" });
  const [areBlocksOpen, setAreBlocksOpen] = useState(false);
  const toShare = (value: number) => percent.format(value);
  return (
    <div className="settings-panel">
      <Devices call={call} />
      <SliderControl
        label={t("call:settings.sensitivity")}
        hint={t("call:settings.sensitivityHint")}
        value={preferences.sensitivity}
        min={10}
        max={50}
        step={1}
        toText={(value) => toShare(value / 100)}
        onChoose={(sensitivity) => change({ sensitivity })}
      />
      <SliderControl
        label={t("call:settings.gain")}
        value={preferences.microphone_gain}
        min={0}
        max={2}
        step={0.05}
        toText={toShare}
        onChoose={(microphone_gain) => change({ microphone_gain })}
      />
      <SliderControl
        label={t("call:settings.volume")}
        value={preferences.volume}
        min={0}
        max={1}
        step={0.05}
        toText={toShare}
        onChoose={(volume) => change({ volume })}
      />
      <ChoiceControl
        label={t("call:settings.quality")}
        value={preferences.quality}
        options={(["low", "medium", "high"] as const).map((value) => ({
          value,
          text: t(`call:settings.${value}`),
        }))}
        onChoose={(quality) => change({ quality })}
      />
      <div className="checks">
        <ToggleControl
          label={t("call:settings.autoMute")}
          value={preferences.auto_mute}
          onChoose={(auto_mute) => change({ auto_mute })}
        />
        <ToggleControl
          label={t("call:settings.pushToTalk")}
          value={preferences.push_to_talk}
          onChoose={(push_to_talk) => change({ push_to_talk })}
        />
        <ToggleControl
          label={t("call:settings.echo")}
          value={preferences.echo_cancellation}
          onChoose={(echo_cancellation) => change({ echo_cancellation })}
        />
        <ToggleControl
          label={t("call:settings.noise")}
          value={preferences.noise_suppression}
          onChoose={(noise_suppression) => change({ noise_suppression })}
        />
        <p className="field-note">{t("call:settings.agc")}</p>
        <ToggleControl
          label={t("call:settings.sounds")}
          value={preferences.sounds}
          onChoose={(sounds) => change({ sounds })}
        />
      </div>
      {isMesh && !hasRelay && <p className="field-note">{t("call:settings.hideNone")}</p>}
      {isMesh && hasRelay && (
        <ChoiceControl
          label={t("call:settings.hideAddress")}
          value={preferences.hide_address}
          hint={t("call:settings.hideHint")}
          options={[
            { value: "auto", text: t("call:settings.hideAuto") },
            { value: "always", text: t("call:settings.hideAlways") },
            { value: "never", text: t("call:settings.hideNever") },
          ]}
          onChoose={(hide_address) => change({ hide_address })}
        />
      )}
      {isMesh && (
        <button type="button" className="voice-button" onClick={() => setAreBlocksOpen(true)}>
          {t("call:person.blocks")}
        </button>
      )}
      {areBlocksOpen && <BlocksDialog call={call} onClose={() => setAreBlocksOpen(false)} />}
      <DebugPanel call={call} state={state} />
    </div>
  );
}
