import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
} from "react";
import { LIMITS } from "#contract/limits.ts";
import { findCode, readAdded, readCode, takeText } from "../forms/code-boxes.tsx";

/** What a screen may do with the boxes. */
export interface CodeBoxesHandle {
  read(): string;
  /** Empties all boxes and puts the focus into the first. */
  reset(): void;
  /** To the first empty box; to the first of all where none is. */
  focus(): void;
}

export interface CodeBoxesEvents {
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
export function useCodeBoxes(
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
