import { useEffect, useRef, useState } from "react";
import type {
  NotificationPreferences,
  PrivacySettings,
  VoicePreferences,
} from "#contract/accounts/accounts.ts";
import { toReason } from "../../../ui/failure-text.ts";
import {
  ChoiceControl,
  type ChoiceProps,
  type ControlProps,
  LineControl,
  type LineProps,
  SliderControl,
  type SliderProps,
  ToggleControl,
} from "../../../ui/setting-controls.tsx";
import { useAccountText } from "../../account-area.tsx";
import { sendProfile, toForm, useProfile } from "../own-profile.tsx";

type SettingPhase =
  | { step: "idle" }
  | { step: "saving" }
  | { step: "saved" }
  | { step: "failed"; reason: string };

/** One setting that is saved at once: what is shown, how saving stands, and how to change it or to try again. */
interface Setting<T> {
  value: T;
  phase: SettingPhase;
  choose: (value: T) => void;
  retry: () => void;
}

/**
 * Shows a choice at once and sends it. Of several in a row only the last is sent after the one under way, so that the server
 * ends with what is shown. A failure keeps the choice, to be tried again.
 * @param delayMs waits for the end of a movement, as of a slider.
 */
export function useSetting<T>(saved: T, send: (value: T) => Promise<void>, delayMs = 0): Setting<T> {
  const t = useAccountText();
  const [chosen, setChosen] = useState<{ value: T } | null>(null);
  const [phase, setPhase] = useState<SettingPhase>({ step: "idle" });
  const turn = useRef(0);
  const line = useRef(Promise.resolve());
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; save: () => void } | null>(null);

  async function sendLast(mine: number, value: T) {
    if (mine !== turn.current) return;
    try {
      await send(value);
      if (mine !== turn.current) return;
      setChosen(null);
      setPhase({ step: "saved" });
    } catch (error) {
      console.warn("A setting could not be saved.", error);
      if (mine === turn.current) setPhase({ step: "failed", reason: toReason(error, t) });
    }
  }

  function save(value: T) {
    waiting.current = null;
    turn.current += 1;
    const mine = turn.current;
    setPhase({ step: "saving" });
    line.current = line.current.then(() => sendLast(mine, value));
  }

  useEffect(
    () => () => {
      // The screen is left in the middle of a movement: it counts.
      if (!waiting.current) return;
      clearTimeout(waiting.current.timer);
      waiting.current.save();
    },
    [],
  );

  return {
    value: chosen ? chosen.value : saved,
    phase,
    choose(value) {
      setChosen({ value });
      if (waiting.current) clearTimeout(waiting.current.timer);
      if (delayMs === 0) return save(value);
      waiting.current = { timer: setTimeout(() => save(value), delayMs), save: () => save(value) };
    },
    retry: () => chosen && save(chosen.value),
  };
}

/** A slider, or a line that is typed, rests this long before it is saved. */
const REST_MS = 500;

interface PreferenceGroups {
  voice_preferences: VoicePreferences;
  notification_preferences: NotificationPreferences;
  privacy_settings: PrivacySettings;
}

/** Sends one part of the profile. */
export function useSendPart() {
  const { services, take, withSession } = useProfile();
  return async (values: Readonly<Record<string, string>>): Promise<void> =>
    take(await withSession(() => sendProfile(services.getHttp(), toForm(values))));
}

/** One preference of a group. It goes out alone: the server changes only what is named, so others are never put back. */
export function usePreference<
  Group extends keyof PreferenceGroups,
  Name extends keyof PreferenceGroups[Group],
>(group: Group, name: Name, options: { isMoved?: boolean } = {}): Setting<PreferenceGroups[Group][Name]> {
  const { profile } = useProfile();
  const send = useSendPart();
  // The group's own schema gave it; the compiler can't follow a generic key that far.
  const saved = (profile as PreferenceGroups)[group][name];
  return useSetting(
    saved,
    (value) => send({ [group]: JSON.stringify({ [name]: value }) }),
    options.isMoved ? REST_MS : 0,
  );
}

/** How saving stands, beside the setting. Both regions are always there: screen readers announce what changes in them. */
function SettingState({ phase, onRetry }: { phase: SettingPhase; onRetry: () => void }) {
  const t = useAccountText();
  return (
    <div className="setting-state">
      <span role="status">
        {phase.step === "saving" && t("profile:settings.saving")}
        {phase.step === "saved" && (
          <span className="setting-saved">
            <span aria-hidden="true">✓ </span>
            {t("profile:settings.saved")}
          </span>
        )}
      </span>
      <span role="alert">
        {phase.step === "failed" && (
          <span className="setting-failed">
            {[t("profile:settings.failed"), phase.reason].filter(Boolean).join(" ")}
          </span>
        )}
      </span>
      {phase.step === "failed" && (
        <button type="button" className="button-quiet" onClick={onRetry}>
          {t("profile:settings.retry")}
        </button>
      )}
    </div>
  );
}

/** A control of `src/ui` whose value is a setting, saved at once. */
type OfSetting<Props, T> = Omit<Props, keyof Setting<T> | "onChoose" | "state"> & { setting: Setting<T> };

const toControl = <T,>({ value, choose, phase, retry }: Setting<T>) => ({
  value,
  onChoose: choose,
  state: <SettingState phase={phase} onRetry={retry} />,
});

export function Toggle({ setting, ...control }: OfSetting<ControlProps<boolean>, boolean>) {
  return <ToggleControl {...control} {...toControl(setting)} />;
}

export function Choice<T extends string>({ setting, ...control }: OfSetting<ChoiceProps<T>, T>) {
  return <ChoiceControl {...control} {...toControl(setting)} />;
}

export function Line({ setting, ...control }: OfSetting<LineProps, string>) {
  return <LineControl {...control} {...toControl(setting)} />;
}

export function Slider({ setting, ...control }: OfSetting<SliderProps, number>) {
  return <SliderControl {...control} {...toControl(setting)} />;
}
