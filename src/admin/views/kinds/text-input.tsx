import { ConfigProvider } from "antd";
import {
  type ChangeEvent,
  type ComponentProps,
  type FocusEvent,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { FieldKind } from "./kind.tsx";
import { PendingTextContext } from "./typed-form.tsx";

/** The form is notified when typing pauses for so long. */
const PAUSE_MS = 200;

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** What a form item gives its input. */
interface PacedText {
  value?: string;
  onChange?: (text: string) => void;
  onBlur?: (event: FocusEvent<TextElement>) => void;
}

interface PacedProps<E extends TextElement> {
  ref: RefObject<E | null>;
  defaultValue: string;
  onChange: (event: ChangeEvent<TextElement>) => void;
  onBlur: (event: FocusEvent<TextElement>) => void;
}

/** Writes into an input. The caret stays where somebody types, if it is the same text in another spelling. */
function respell(element: TextElement, value: string): void {
  const { selectionStart, selectionEnd } = element;
  const keepsCaret = element.value.length === value.length && document.activeElement === element;
  element.value = value;
  // Inputs of days and times have no caret of their own.
  if (keepsCaret && selectionStart !== null) element.setSelectionRange(selectionStart, selectionEnd);
}

/**
 * An input that the browser alone writes in while somebody types: antd's form item draws label, grid and errors anew for each
 * value. Measured in a form of 36 inputs at a quarter of a machine's speed: a key costs 8.5 ms of script this way, 16 to 27
 * where the form has each letter. The form gets the text when typing pauses, when the input is left, and when it is read.
 */
function usePacedText<E extends TextElement>({ value = "", onChange, onBlur }: PacedText): PacedProps<E> {
  const ref = useRef<E>(null);
  const typed = useRef(value);
  const reported = useRef(value);
  const pending = useContext(PendingTextContext);
  const latest = useRef(onChange);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [defaultValue] = useState(value);
  useEffect(() => {
    latest.current = onChange;
  });

  const report = useCallback(() => {
    clearTimeout(timer.current);
    pending?.release(report);
    if (typed.current === reported.current) return;
    reported.current = typed.current;
    latest.current?.(typed.current);
  }, [pending]);

  // A value that doesn't come from this input: a loaded version, a restored draft, another spelling of what was typed.
  useLayoutEffect(() => {
    // What was typed after the last report stays, and is reported next: another spelling of the text before it comes too late.
    if (value === reported.current || typed.current !== reported.current) return;
    typed.current = value;
    reported.current = value;
    if (ref.current) respell(ref.current, value);
  }, [value]);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      pending?.release(report);
    },
    [report, pending],
  );

  return {
    ref,
    defaultValue,
    onChange({ target }) {
      typed.current = target.value;
      // Such as a filter's: its value is read by whoever owns it.
      if (!pending) return report();
      pending.hold(report);
      clearTimeout(timer.current);
      timer.current = setTimeout(report, PAUSE_MS);
    },
    onBlur(event) {
      report();
      onBlur?.(event);
    },
  };
}

export type TextInputProps = Omit<ComponentProps<"input">, keyof PacedText | "defaultValue" | "ref"> &
  PacedText;

/** One line of text: the browser's own input, in the looks of antd's. */
export function TextInput({ value, onChange, onBlur, className = "", ...rest }: TextInputProps) {
  const { componentDisabled = false } = ConfigProvider.useConfig();
  const paced = usePacedText<HTMLInputElement>({
    ...(value !== undefined && { value }),
    ...(onChange && { onChange }),
    ...(onBlur && { onBlur }),
  });
  return (
    <input
      autoComplete="off"
      disabled={componentDisabled}
      {...rest}
      {...paced}
      className={`text-input ${className}`}
    />
  );
}

export type AreaProps = Omit<ComponentProps<"textarea">, keyof PacedText | "defaultValue" | "ref"> &
  PacedText;

/**
 * A text of several lines that grows with what is in it, by CSS. Browsers without `field-sizing` show the given rows and let
 * the person pull.
 */
export function Area({ value, onChange, onBlur, className = "", rows = 4, ...rest }: AreaProps) {
  const { componentDisabled = false } = ConfigProvider.useConfig();
  const paced = usePacedText<HTMLTextAreaElement>({
    ...(value !== undefined && { value }),
    ...(onChange && { onChange }),
    ...(onBlur && { onBlur }),
  });
  return (
    <textarea
      disabled={componentDisabled}
      {...rest}
      {...paced}
      rows={rows}
      className={`text-input area ${className}`}
    />
  );
}

/** Texts and everything that is written as one: null on the wire is an empty input. */
export const textValue: Pick<FieldKind, "toInput" | "toWire"> = {
  toInput: (value) => (typeof value === "string" ? value : ""),
  toWire: (input) => (input === "" ? null : input),
};
