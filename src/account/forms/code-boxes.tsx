import { LIMITS } from "#contract/limits.ts";

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

export function readCode(boxes: readonly HTMLInputElement[]): string {
  return boxes.map((box) => box.value).join("");
}

/**
 * Takes what was pasted, filled in or typed over a box. @returns the box that gets the focus, and whether something that
 * is no digit was left out.
 */
export function takeText(
  boxes: readonly HTMLInputElement[],
  index: number,
  text: string,
): { next: number; isRejected: boolean } {
  const digits = onlyDigits(text);
  const isRejected = /[^\d\s-]/.test(text);
  return { next: digits ? spread(boxes, index, digits) : index, isRejected };
}

/** The code in a sentence of a mail; all of the text where there is none. */
export function findCode(text: string): string {
  return /(?<!\d)\d{3}[\s-]?\d{3}(?!\d)/.exec(text)?.[0] ?? text;
}

/** What an input event added: one typed digit counts in place of the one that stood there, anything else as a whole. */
export function readAdded(box: HTMLInputElement, event: Event): string {
  const isTyped = event instanceof InputEvent && event.inputType === "insertText" && event.data?.length === 1;
  return isTyped ? (event.data ?? "") : box.value;
}
