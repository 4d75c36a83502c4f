import "./toast.css";
import { type FocusEvent, useEffect, useEffectEvent, useRef, useState } from "react";

/** Specification A section 9. */
const SHOWN_MS = 5_000;

export interface Toast {
  kind: "success" | "error";
  text: string;
}

interface ToastProps {
  toast: Toast | null;
  closeLabel: string;
  onClose: () => void;
}

/** Closes after its time, which begins anew when pointer and focus have left: nobody loses what they are reading. */
function useClosing(onClose: () => void) {
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const cameFrom = useRef<Element | null>(null);
  const close = useEffectEvent(onClose);

  const isHeld = isHovered || isFocused;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => close(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);

  return {
    /** The focus goes back to where it came from, instead of nowhere. */
    closeNow() {
      if (isFocused && cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
      onClose();
    },
    holders: {
      onMouseEnter: () => setIsHovered(true),
      onMouseLeave: () => setIsHovered(false),
      onFocus(event: FocusEvent) {
        cameFrom.current = event.relatedTarget;
        setIsFocused(true);
      },
      onBlur: () => setIsFocused(false),
    },
  };
}

function ToastCard({ toast, closeLabel, onClose }: ToastProps & { toast: Toast }) {
  const { closeNow, holders } = useClosing(onClose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the button in it is for the keyboard
    <div className={`toast toast-${toast.kind}`} onClick={closeNow} {...holders}>
      <span className="toast-mark" aria-hidden="true">
        {toast.kind === "success" ? "✓" : "!"}
      </span>
      <p>{toast.text}</p>
      <button className="toast-close" type="button" aria-label={closeLabel}>
        <span aria-hidden="true">×</span>
      </button>
    </div>
  );
}

/**
 * A message that comes and goes: closes on a click, or after 5 seconds. Its two live regions are always there, because
 * screen readers announce what changes in a region that they know.
 */
export function ToastRegion({ toast, ...rest }: ToastProps) {
  const card = toast && <ToastCard key={`${toast.kind} ${toast.text}`} toast={toast} {...rest} />;
  return (
    <div className="toasts">
      <div role="status">{toast?.kind === "success" && card}</div>
      <div role="alert">{toast?.kind === "error" && card}</div>
    </div>
  );
}
