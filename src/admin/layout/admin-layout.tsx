import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, useLocation, useNavigation } from "react-router";
import { Palette } from "../palette/palette.tsx";
import { useMedia } from "../parts/use-media.ts";
import { useShortcutKeys } from "../shortcuts/use-shortcut-keys.ts";
import { AdminHeader } from "./admin-header.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import { SIDEBAR_ID, Sidebar } from "./sidebar.tsx";

/** Sidebar breakpoint (specification B section 9). The style sheet has the same number. */
const WIDE = "(min-width: 768px)";

/**
 * Frame of every screen. Wide: the sidebar stands beside the screen and can be folded away. Narrow: it lies over the screen
 * and closes by choosing, by Escape, by the overlay, and when the window becomes wide (specification B section 2).
 */
export function AdminLayout() {
  const { t } = useTranslation();
  const isWide = useMedia(WIDE);
  const { pathname } = useLocation();
  const [isFolded, setFolded] = useState(false);
  const [isOverlayOpen, setOverlayOpen] = useState(false);
  const sidebar = useRef<HTMLElement>(null);
  const isOpen = isWide ? !isFolded : isOverlayOpen;
  const isCovering = !isWide && isOverlayOpen;
  const isLoading = useNavigation().state === "loading";
  useShortcutKeys();

  // biome-ignore lint/correctness/useExhaustiveDependencies: closes whenever the screen or the width changes
  useEffect(() => setOverlayOpen(false), [pathname, isWide]);

  useEffect(() => {
    if (!isCovering) return;
    const frame = sidebar.current;
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

  return (
    <div className="admin" data-sidebar={isOpen ? "open" : "closed"}>
      <a className="skip-link" href="#main">
        {t("layout.skip")}
      </a>
      <AdminHeader
        isSidebarOpen={isOpen}
        onToggleSidebar={() => (isWide ? setFolded(!isFolded) : setOverlayOpen(!isOverlayOpen))}
      />
      <Sidebar ref={sidebar} isHidden={!isOpen} />
      {isCovering && (
        <button
          type="button"
          className="overlay"
          aria-label={t("layout.closeSidebar")}
          onClick={() => setOverlayOpen(false)}
        />
      )}
      {isLoading && <div className="screen-progress" aria-hidden />}
      <main id="main" tabIndex={-1} inert={isCovering} aria-busy={isLoading}>
        <Outlet />
      </main>
      <ConnectionNotice />
      <Palette />
    </div>
  );
}
