import { type RefObject, useRef } from "react";

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
