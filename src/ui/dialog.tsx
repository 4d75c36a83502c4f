import { type ComponentProps, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";

interface ModalProps
  extends Omit<ComponentProps<"dialog">, "ref" | "open" | "onKeyDown" | "onCancel" | "onClose"> {
  /** Id of the heading in it. */
  "aria-labelledby": string;
  /** Escape. What is under way, or must be answered, stays open: leave it out then. */
  onCancel: (() => void) | undefined;
}

/**
 * Every native modal dialog of the site, open as long as it is drawn, over everything else, antd's drawers too. The browser
 * keeps the focus in it and gives it back. What lies below receives no Escape of it.
 */
export function Modal({ onCancel, ...props }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // It closes before the element is taken out of the page: then it could not give the focus back any more.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog?.open) dialog?.showModal();
    return () => dialog?.close?.();
  }, []);
  return (
    <dialog
      {...props}
      ref={ref}
      onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
      onCancel={(event) => {
        // The component that draws it takes it away, as for every other way to close it.
        event.preventDefault();
        onCancel?.();
      }}
      // A browser that is asked by several Escapes doesn't ask back. In development React closes and opens each new dialog first.
      onClose={({ currentTarget: dialog }) => {
        if (dialog.open) return;
        if (onCancel) onCancel();
        else dialog.showModal();
      }}
    />
  );
}

/**
 * Handlers for a dialog that a press beside it closes. The second press of a double click meant the button that has opened it;
 * and what lies below takes no focus by the press.
 */
export function closeByPressBeside(onClose: () => void) {
  return {
    onMouseDown(event: MouseEvent) {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      if (event.detail < 2) onClose();
    },
  };
}

interface DialogProps {
  title: string;
  /** As for `Modal`. */
  onCancel?: (() => void) | undefined;
  /** For what is read first: at a button below it, a small screen would show its end. */
  beginsAtTitle?: boolean;
  children: ReactNode;
}

/** Where browsers put the focus of a dialog that opens. React has no attribute for it. */
const beginHere = (element: HTMLElement | null) => element?.setAttribute("autofocus", "");

/** A dialog of the public pages, with its title above. */
export function Dialog({ title, onCancel, beginsAtTitle = false, children }: DialogProps) {
  const id = useId();
  return (
    <Modal className="dialog" aria-labelledby={id} onCancel={onCancel}>
      <h2 id={id} {...(beginsAtTitle && { tabIndex: -1, ref: beginHere })}>
        {title}
      </h2>
      {children}
    </Modal>
  );
}
