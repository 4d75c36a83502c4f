import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";

interface ModalDialogProps {
  title: string;
  className: string;
  /** Whether the title is seen, or only read aloud. */
  isTitleShown?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A native modal dialog over everything else, antd's drawers too, open for as long as it is drawn. The browser keeps the focus
 * in it and gives it back; Escape and a click beside it close it.
 */
export function ModalDialog({ title, className, isTitleShown = false, onClose, children }: ModalDialogProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  // Before the element is taken out of the page: then it could not give the focus back any more.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (!dialog.open) dialog.showModal();
    const onCancel = (event: Event) => {
      event.preventDefault();
      latest.current();
    };
    // Escape that an input method takes for itself is no wish to close; what lies below hears nothing of any key.
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") event.stopPropagation();
    };
    // The second press of a double click meant the button that has opened this.
    const onPress = (event: MouseEvent) => event.target === dialog && event.detail < 2 && latest.current();
    dialog.addEventListener("cancel", onCancel);
    dialog.addEventListener("keydown", onKey);
    dialog.addEventListener("mousedown", onPress);
    return () => {
      dialog.removeEventListener("cancel", onCancel);
      dialog.removeEventListener("keydown", onKey);
      dialog.removeEventListener("mousedown", onPress);
      dialog.close();
    };
  }, []);
  return (
    <dialog ref={ref} className={className} aria-labelledby={id}>
      <h2 id={id} className={isTitleShown ? "modal-dialog-title" : "visually-hidden"}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
