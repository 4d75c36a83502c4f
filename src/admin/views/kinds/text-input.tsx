import { ConfigProvider } from "antd";
import {
  type ComponentProps,
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { FieldKind } from "./kind.tsx";

/** Inputs that hold text which their form does not know of yet. */
const unreported = new Set<() => void>();

/** An input holds such text; `tell` hands it over. */
function holdUnreported(report: () => void): void {
  unreported.add(report);
}

function releaseUnreported(report: () => void): void {
  unreported.delete(report);
}

/** Hands over whatever is typed. Whoever reads a form, or sends it, calls this first. */
export function reportTyped(): void {
  for (const report of [...unreported]) report();
}

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
  onChange: () => void;
  onBlur: (event: FocusEvent<TextElement>) => void;
}

/**
 * An input that the browser alone writes in while somebody types: antd's form item draws label, grid and errors anew for each
 * value, which a slow machine notices at every key. The form gets the text when typing pauses, when the input is left, and
 * when `reportTyped` asks for it.
 */
function usePacedText<E extends TextElement>({ value = "", onChange, onBlur }: PacedText): PacedProps<E> {
  const ref = useRef<E>(null);
  const reported = useRef(value);
  const latest = useRef(onChange);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [defaultValue] = useState(value);
  useEffect(() => {
    latest.current = onChange;
  });

  const report = useCallback(() => {
    clearTimeout(timer.current);
    releaseUnreported(report);
    const text = ref.current?.value ?? reported.current;
    if (text === reported.current) return;
    reported.current = text;
    latest.current?.(text);
  }, []);

  // A value that doesn't come from this input: a loaded version, a restored draft, another spelling of what was typed.
  useLayoutEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    if (ref.current) ref.current.value = value;
  }, [value]);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      releaseUnreported(report);
    },
    [report],
  );

  return {
    ref,
    defaultValue,
    onChange() {
      holdUnreported(report);
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
