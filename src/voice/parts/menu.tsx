import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef } from "react";

interface MenuProps {
  /** What the button is called; it shows three dots. */
  label: string;
  children: ReactNode;
}

/** Pixels that a menu keeps from the window's edge. */
const EDGE_PX = 8;

/** A few actions behind a button with three dots. It closes by Escape, by an action, and when the focus goes elsewhere. */
export function Menu({ label, children }: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  const items = useRef<HTMLDivElement>(null);
  const close = () => ref.current?.removeAttribute("open");

  /** It opens towards the start, where a narrow window may have no room for it. */
  function keepInSight() {
    const menu = items.current;
    if (!menu || !ref.current?.open) return;
    menu.style.translate = "";
    const { left } = menu.getBoundingClientRect();
    if (left < EDGE_PX) menu.style.translate = `${EDGE_PX - left}px`;
    menu.scrollIntoView({ block: "nearest" });
  }

  return (
    <details
      ref={ref}
      className="action-menu"
      onToggle={keepInSight}
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
      {/* Takes the focus that a press beside a control gives: without it the menu would close under the finger. */}
      <div ref={items} className="menu-items" tabIndex={-1}>
        {children}
      </div>
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
