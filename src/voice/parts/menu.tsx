import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef } from "react";

interface MenuProps {
  /** What the button is called; it shows three dots. */
  label: string;
  children: ReactNode;
}

/** A few actions behind a button with three dots. It closes by Escape, by an action, and when the focus goes elsewhere. */
export function Menu({ label, children }: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = () => ref.current?.removeAttribute("open");
  return (
    <details
      ref={ref}
      className="action-menu"
      onBlur={(event: FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== "Escape" || !ref.current?.open) return;
        close();
        ref.current.querySelector("summary")?.focus();
      }}
    >
      <summary aria-label={label} title={label}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="5" r="1.8" />
          <circle cx="12" cy="12" r="1.8" />
          <circle cx="12" cy="19" r="1.8" />
        </svg>
      </summary>
      <div className="menu-items">{children}</div>
    </details>
  );
}

interface MenuItemProps {
  isDangerous?: boolean;
  onChoose: () => void;
  children: ReactNode;
}

export function MenuItem({ isDangerous = false, onChoose, children }: MenuItemProps) {
  return (
    <button
      type="button"
      className={isDangerous ? "menu-item menu-danger" : "menu-item"}
      onClick={(event) => {
        const menu = event.currentTarget.closest("details");
        menu?.removeAttribute("open");
        menu?.querySelector("summary")?.focus();
        onChoose();
      }}
    >
      {children}
    </button>
  );
}
