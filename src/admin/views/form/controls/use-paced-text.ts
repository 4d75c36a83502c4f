import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { holdUntold, releaseUntold } from "../../kinds/text-input.tsx";

/** The form is told when typing pauses for so long. */
const PAUSE_MS = 200;

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** What a form item gives its input. */
export interface PacedText {
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
 * when `tellTyped` asks for it.
 */
export function usePacedText<E extends TextElement>({
  value = "",
  onChange,
  onBlur,
}: PacedText): PacedProps<E> {
  const ref = useRef<E>(null);
  const told = useRef(value);
  const latest = useRef(onChange);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [defaultValue] = useState(value);
  useEffect(() => {
    latest.current = onChange;
  });

  const tell = useCallback(() => {
    clearTimeout(timer.current);
    releaseUntold(tell);
    const text = ref.current?.value ?? told.current;
    if (text === told.current) return;
    told.current = text;
    latest.current?.(text);
  }, []);

  // A value that doesn't come from this input: a loaded version, a restored draft, another spelling of what was typed.
  useLayoutEffect(() => {
    if (value === told.current) return;
    told.current = value;
    if (ref.current) ref.current.value = value;
  }, [value]);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      releaseUntold(tell);
    },
    [tell],
  );

  return {
    ref,
    defaultValue,
    onChange() {
      holdUntold(tell);
      clearTimeout(timer.current);
      timer.current = setTimeout(tell, PAUSE_MS);
    },
    onBlur(event) {
      tell();
      onBlur?.(event);
    },
  };
}
