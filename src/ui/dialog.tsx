import { type ReactNode, useEffect, useId, useRef } from "react";

interface DialogProps {
  title: string;
  /** Escape. What is under way, or must be answered, stays open: leave it out then. */
  onCancel?: (() => void) | undefined;
  children: ReactNode;
}

/** A native modal dialog, open as long as it is drawn. The browser keeps the focus in it and gives it back. */
export function Dialog({ title, onCancel, children }: DialogProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog?.open) dialog?.showModal();
    // An element that is taken away doesn't give the focus back; one that closes does.
    return () => dialog?.close?.();
  }, []);
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onCancel?.();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
