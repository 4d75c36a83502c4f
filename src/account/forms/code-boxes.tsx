import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
} from "react";
import { LIMITS } from "#contract/limits.ts";
import { useAccountText } from "../account-area.tsx";

const onlyDigits = (text: string) => text.replace(/\D/g, "");

/** Digits written into the boxes from one of them on. @returns the box that comes next. */
function spread(boxes: readonly HTMLInputElement[], from: number, digits: string): number {
  // A whole code belongs into all boxes, wherever it was put.
  const start = digits.length >= LIMITS.codeDigits ? 0 : from;
  const written = digits.slice(0, boxes.length - start);
  Array.from(written).forEach((digit, index) => {
    const box = boxes[start + index];
    if (box) box.value = digit;
  });
  return Math.min(start + written.length, boxes.length - 1);
}

function readCode(boxes: readonly HTMLInputElement[]): string {
  return boxes.map((box) => box.value).join("");
}

/**
 * Takes what was pasted, filled in or typed over a box. @returns the box that gets the focus, and whether something that
 * is no digit was left out.
 */
function takeText(
  boxes: readonly HTMLInputElement[],
  index: number,
  text: string,
): { next: number; isRejected: boolean } {
  const digits = onlyDigits(text);
  const isRejected = /[^\d\s-]/.test(text);
  return { next: digits ? spread(boxes, index, digits) : index, isRejected };
}

/** The code in a sentence of a mail; all of the text where there is none. */
function findCode(text: string): string {
  return /(?<!\d)\d{3}[\s-]?\d{3}(?!\d)/.exec(text)?.[0] ?? text;
}

/** What an input event added: one typed digit counts in place of the one that stood there, anything else as a whole. */
function readAdded(box: HTMLInputElement, event: Event): string {
  const isTyped = event instanceof InputEvent && event.inputType === "insertText" && event.data?.length === 1;
  return isTyped ? (event.data ?? "") : box.value;
}

/** What a screen may do with the boxes. */
export interface CodeBoxesHandle {
  read(): string;
  /** Empties all boxes and puts the focus into the first. */
  reset(): void;
  /** To the first empty box; to the first of all where none is. */
  focus(): void;
}

interface CodeBoxesEvents {
  /** The digits changed. */
  onChange?: (() => void) | undefined;
  /** Something that is no digit was typed or pasted, and left out. */
  onReject?: (() => void) | undefined;
  /** The last empty box was filled. */
  onComplete?: ((code: string) => void) | undefined;
}

/** Where a key leads from a box; past the ends there is nothing. */
function toTarget(key: string, index: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
      return index - 1;
    case "ArrowRight":
      return index + 1;
    case "Home":
      return 0;
    case "End":
      return LIMITS.codeDigits - 1;
    default:
      return undefined;
  }
}

/** Typing, pasting and moving in the boxes of a code. They keep their own values, so that none is lost before hydration. */
function useCodeBoxes(
  { onChange, onReject, onComplete }: CodeBoxesEvents,
  handle: Ref<CodeBoxesHandle> | undefined,
) {
  const groupRef = useRef<HTMLFieldSetElement>(null);
  const getBoxes = () => Array.from(groupRef.current?.querySelectorAll("input") ?? []);

  useImperativeHandle(handle, () => ({
    read: () => readCode(getBoxes()),
    reset() {
      for (const box of getBoxes()) box.value = "";
      getBoxes()[0]?.focus();
    },
    focus() {
      const boxes = getBoxes();
      (boxes.find((box) => box.value === "") ?? boxes[0])?.focus();
    },
  }));

  useEffect(() => {
    // A phone may have filled a whole code into the first box before the page was ready.
    const boxes = Array.from(groupRef.current?.querySelectorAll("input") ?? []);
    const filled = boxes.findIndex((box) => box.value.length > 1);
    if (filled >= 0) takeText(boxes, filled, boxes[filled]?.value ?? "");
  }, []);

  function insert(index: number, text: string) {
    const boxes = getBoxes();
    const { next, isRejected } = takeText(boxes, index, text);
    boxes[next]?.focus();
    boxes[next]?.select();
    onChange?.();
    if (isRejected) onReject?.();
    const code = readCode(boxes);
    if (!isRejected && code.length === LIMITS.codeDigits) onComplete?.(code);
  }

  function erase(index: number) {
    const boxes = getBoxes();
    const box = boxes[boxes[index]?.value ? index : index - 1];
    if (!box) return;
    box.value = "";
    box.focus();
    onChange?.();
  }

  const focusBox = (index: number) => {
    const boxes = getBoxes();
    boxes[Math.max(0, Math.min(index, boxes.length - 1))]?.focus();
  };

  return {
    groupRef,
    toHandlers: (index: number) => ({
      onInput(event: FormEvent<HTMLInputElement>) {
        const box = event.currentTarget;
        const text = readAdded(box, event.nativeEvent);
        box.value = "";
        insert(index, text);
      },
      onPaste(event: ClipboardEvent) {
        event.preventDefault();
        insert(index, findCode(event.clipboardData.getData("text")));
      },
      onKeyDown(event: KeyboardEvent) {
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        const target = toTarget(event.key, index);
        if (target === undefined && event.key !== "Backspace") return;
        event.preventDefault();
        if (target === undefined) erase(index);
        else focusBox(target);
      },
      onFocus: (event: { currentTarget: HTMLInputElement }) => event.currentTarget.select(),
    }),
  };
}

interface CodeBoxesProps extends CodeBoxesEvents {
  label: string;
  error?: string | undefined;
  /** The server took the last code for none: it never says why, so what it may be is said each time. */
  isRefused?: boolean | undefined;
  /** The code is being looked at: nothing can be changed. */
  isBusy?: boolean;
  ref?: Ref<CodeBoxesHandle>;
}

const POSITIONS = Array.from({ length: LIMITS.codeDigits }, (_, index) => index);

/**
 * A code that came by mail, a box for each digit (specification A 2.9). The first takes what a phone suggests, and any box
 * a whole pasted code; none limits its length, which would cut those.
 */
export function CodeBoxes({ label, error, isRefused, isBusy = false, ref, ...events }: CodeBoxesProps) {
  const t = useAccountText();
  const id = useId();
  const { groupRef, toHandlers } = useCodeBoxes(events, ref);
  return (
    <fieldset className="code-boxes" ref={groupRef} aria-describedby={`${id}-error ${id}-hint`}>
      <legend>{label}</legend>
      <div className="code-row">
        {POSITIONS.map((index) => (
          <input
            key={index}
            type="text"
            inputMode="numeric"
            autoComplete={index === 0 ? "one-time-code" : "off"}
            aria-label={t("account:code.digit", { number: index + 1, count: LIMITS.codeDigits })}
            aria-invalid={error ? "true" : undefined}
            readOnly={isBusy}
            required
            {...toHandlers(index)}
          />
        ))}
      </div>
      <p className="field-error" id={`${id}-error`} role="alert">
        {error}
      </p>
      <p className="field-note" id={`${id}-hint`}>
        {isRefused && t("account:code.hint")}
      </p>
    </fieldset>
  );
}
