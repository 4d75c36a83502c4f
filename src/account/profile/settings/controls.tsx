import {
  ChoiceControl,
  type ChoiceProps,
  type ControlProps,
  SliderControl,
  type SliderProps,
  ToggleControl,
} from "../../../ui/setting-controls.tsx";
import type { Setting } from "./setting.tsx";
import { SettingState } from "./setting-state.tsx";

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

export function Slider({ setting, ...control }: OfSetting<SliderProps, number>) {
  return <SliderControl {...control} {...toControl(setting)} />;
}
