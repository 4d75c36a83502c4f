import { useId } from "react";
import { SettingState } from "./setting-state.tsx";
import type { Setting } from "./use-setting.ts";

interface ControlProps<T> {
  label: string;
  hint?: string;
  setting: Setting<T>;
}

function Hint({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p className="field-note" id={`${id}-hint`}>
      {text}
    </p>
  ) : null;
}

/** On or off. */
export function Toggle({ label, hint, setting }: ControlProps<boolean>) {
  const id = useId();
  return (
    <div className="setting">
      <label className="setting-toggle" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={setting.value}
          aria-describedby={hint && `${id}-hint`}
          onChange={(event) => setting.choose(event.currentTarget.checked)}
        />
        {label}
      </label>
      <SettingState phase={setting.phase} onRetry={setting.retry} />
      <Hint id={id} text={hint} />
    </div>
  );
}

interface ChoiceProps<T extends string> extends ControlProps<T> {
  options: readonly { value: T; text: string }[];
}

/** One of a few. */
export function Choice<T extends string>({ label, hint, setting, options }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className="setting">
      <label className="setting-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        value={setting.value}
        aria-describedby={hint && `${id}-hint`}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex];
          if (chosen) setting.choose(chosen.value);
        }}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <SettingState phase={setting.phase} onRetry={setting.retry} />
      <Hint id={id} text={hint} />
    </div>
  );
}

interface SliderProps extends ControlProps<number> {
  min: number;
  max: number;
  step: number;
  /** The value as it is read. */
  toText: (value: number) => string;
}

/** A number between two ends, with its value in words. */
export function Slider({ label, hint, setting, min, max, step, toText }: SliderProps) {
  const id = useId();
  return (
    <div className="setting">
      <label className="setting-label" htmlFor={id}>
        {label}
      </label>
      <div className="setting-slider">
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={step}
          value={setting.value}
          aria-valuetext={toText(setting.value)}
          aria-describedby={hint && `${id}-hint`}
          onChange={(event) => setting.choose(event.currentTarget.valueAsNumber)}
        />
        <output htmlFor={id}>{toText(setting.value)}</output>
      </div>
      <SettingState phase={setting.phase} onRetry={setting.retry} />
      <Hint id={id} text={hint} />
    </div>
  );
}
