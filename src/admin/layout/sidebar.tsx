import { type Ref, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { NavLink, useLocation } from "react-router";
import { type Screen, ScreenIcon } from "../navigation/screens.tsx";
import { useMedia, WIDE } from "../ui/viewport.ts";

/** Every other address lies below it. */
const HOME = "/admin";

export const SIDEBAR_ID = "sidebar";

interface SidebarProps {
  screens: readonly Screen[];
  isHidden: boolean;
  ref: Ref<HTMLElement>;
}

/** Links to the screens that the person may see. */
export function Sidebar({ screens, isHidden, ref }: SidebarProps) {
  const { t } = useTranslation();
  return (
    <nav ref={ref} id={SIDEBAR_ID} className="sidebar" aria-label={t("layout.navigation")} inert={isHidden}>
      <ul>
        {screens.map(({ name, to, labelKey, icon }) => (
          <li key={name}>
            <NavLink to={to} end={to === HOME}>
              <ScreenIcon name={icon} />
              {t(labelKey)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export interface SidebarState {
  ref: RefObject<HTMLElement | null>;
  isOpen: boolean;
  /** It lies over the screen. */
  isCovering: boolean;
  toggle: () => void;
  close: () => void;
}

/**
 * Wide: the sidebar stands beside the screen and can be folded away. Narrow: it lies over the screen and closes by choosing, by
 * Escape, by the overlay, and when the window becomes wide (specification B section 2).
 */
export function useSidebar(): SidebarState {
  const isWide = useMedia(WIDE);
  const { key } = useLocation();
  const [isFolded, setFolded] = useState(false);
  const [isOverlayOpen, setOverlayOpen] = useState(false);
  const ref = useRef<HTMLElement>(null);
  const isCovering = !isWide && isOverlayOpen;

  // biome-ignore lint/correctness/useExhaustiveDependencies: closes with every choice, of the screen that one is on too, and when the width changes
  useEffect(() => setOverlayOpen(false), [key, isWide]);

  useEffect(() => {
    if (!isCovering) return;
    const frame = ref.current;
    frame?.querySelector("a")?.focus();
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && setOverlayOpen(false);
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onKey);
      // What had the focus has just become inert or has gone.
      const focused = document.activeElement;
      if (focused && focused !== document.body && !frame?.contains(focused)) return;
      document.querySelector<HTMLElement>(`[aria-controls="${SIDEBAR_ID}"]`)?.focus();
    };
  }, [isCovering]);

  return {
    ref,
    isCovering,
    isOpen: isWide ? !isFolded : isOverlayOpen,
    toggle: () => (isWide ? setFolded(!isFolded) : setOverlayOpen(!isOverlayOpen)),
    close: () => setOverlayOpen(false),
  };
}
