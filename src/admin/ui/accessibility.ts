import { type RefObject, useEffect, useRef, useState } from "react";

/** For icons beside a text. antd's icons call themselves by their English file name unless they are hidden from screen readers. */
export const DECORATIVE = { "aria-hidden": true, "aria-label": undefined, role: undefined } as const;

/** Gives the focus back, when this part of the screen goes, to what had it when it came. */
export function useReturnedFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}

/**
 * Gives a field of a dialog the focus once the dialog is open. A field's own `autoFocus` comes too early: the dialog isn't part
 * of the page yet, and takes the focus itself when it is.
 */
export function useDialogFocus<Field extends { focus: () => void }>(): {
  field: RefObject<Field | null>;
  /** Of the dialog. */
  afterOpenChange: (isOpen: boolean) => void;
} {
  const field = useRef<Field>(null);
  return {
    field,
    afterOpenChange: (isOpen) => {
      if (isOpen) field.current?.focus();
    },
  };
}

/**
 * Of a select in a form, by the id of its input: antd says `aria-required` on the input and on the box around it, which has no role
 * that could be required.
 */
export function useSelectBoxWithoutRequired(id: string | undefined): void {
  useEffect(() => {
    const input = id === undefined ? null : document.getElementById(id);
    input?.parentElement?.closest("[aria-required]")?.removeAttribute("aria-required");
  }, [id]);
}
