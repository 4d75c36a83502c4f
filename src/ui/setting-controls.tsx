import { type ReactNode, useId } from "react";

export interface ControlProps<T> {
  label: string;
  hint?: string;
  value: T;
  onChoose: (value: T) => void;
  /** How saving stands, where the control is of something that is saved. */
  state?: ReactNode;
}

function Hint({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p className="field-note" id={`${id}-hint`}>
      {text}
    </p>
  ) : null;
}

interface LabelledProps {
  id: string;
  label: string;
  hint: string | undefined;
  state: ReactNode;
  children: ReactNode;
}

/** A control below its label. */
function Labelled({ id, label, hint, state, children }: LabelledProps) {
  return (
    <div className="setting">
      <label className="setting-label" htmlFor={id}>
        {label}
      </label>
      {children}
      {state}
      <Hint id={id} text={hint} />
    </div>
  );
}

/** On or off. */
export function ToggleControl({ label, hint, value, onChoose, state }: ControlProps<boolean>) {
  const id = useId();
  return (
    <div className="setting">
      <label className="setting-toggle" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={value}
          aria-describedby={hint && `${id}-hint`}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        {label}
      </label>
      {state}
      <Hint id={id} text={hint} />
    </div>
  );
}

export interface LineProps extends ControlProps<string> {
  maxLength: number;
  autoComplete?: string;
  placeholder?: string;
}

/** A short text. */
export function LineControl({ label, hint, value, onChoose, state, ...input }: LineProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} state={state}>
      <input
        id={id}
        type="text"
        {...input}
        value={value}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChoose(event.currentTarget.value)}
      />
    </Labelled>
  );
}

export interface ChoiceProps<T extends string> extends ControlProps<T> {
  options: readonly { value: T; text: string }[];
}

/** One of a few. */
export function ChoiceControl<T extends string>({
  label,
  hint,
  value,
  onChoose,
  state,
  options,
}: ChoiceProps<T>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} state={state}>
      <select
        id={id}
        value={value}
        aria-describedby={hint && `${id}-hint`}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex];
          if (chosen) onChoose(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export interface SliderProps extends ControlProps<number> {
  min: number;
  max: number;
  step: number;
  /** The value as it is read. */
  toText: (value: number) => string;
}

/** A number between two ends, with its value in words. */
export function SliderControl({ label, hint, value, onChoose, state, min, max, step, toText }: SliderProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} state={state}>
      <div className="setting-slider">
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={step}
          value={value}
          aria-valuetext={toText(value)}
          aria-describedby={hint && `${id}-hint`}
          onChange={(event) => onChoose(event.currentTarget.valueAsNumber)}
        />
        <output htmlFor={id}>{toText(value)}</output>
      </div>
    </Labelled>
  );
}
