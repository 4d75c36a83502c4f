import { useContext, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, useNavigate, useNavigation } from "react-router";
import { type Screen, useScreens } from "../navigation/screens.tsx";
import { ShortcutsContext, useShortcutKeys } from "../shortcuts/use-shortcut.ts";
import { AdminHeader } from "./admin-header.tsx";
import { AlertNotice } from "./alert-notice.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import { FactorNotice } from "./factor-notice.tsx";
import { FrameDialogs, useFrameDialog } from "./frame-dialogs.tsx";
import { Sidebar, useSidebar } from "./sidebar.tsx";

/** `g` and a letter lead to each of the screens that the person may see. */
function useGoToKeys(screens: readonly Screen[]): void {
  const shortcuts = useContext(ShortcutsContext);
  const navigate = useNavigate();
  useEffect(() => {
    const undo = screens.map(({ keys, to, labelKey }) =>
      shortcuts.register({ keys, labelKey, run: () => void navigate(to) }),
    );
    return () => {
      for (const forget of undo) forget();
    };
  }, [shortcuts, screens, navigate]);
}

/** Frame of every screen. */
export function AdminLayout() {
  const { t } = useTranslation();
  const sidebar = useSidebar();
  const screens = useScreens();
  const { dialog, openPalette, openShortcuts, close } = useFrameDialog();
  const isLoading = useNavigation().state === "loading";
  useShortcutKeys();
  useGoToKeys(screens);

  return (
    <div className="admin" data-sidebar={sidebar.isOpen ? "open" : "closed"}>
      <a className="skip-link" href="#main">
        {t("layout.skip")}
      </a>
      <AdminHeader
        isSidebarOpen={sidebar.isOpen}
        onToggleSidebar={sidebar.toggle}
        onOpenPalette={openPalette}
      />
      <Sidebar ref={sidebar.ref} screens={screens} isHidden={!sidebar.isOpen} />
      {sidebar.isCovering && (
        <button
          type="button"
          className="overlay"
          aria-label={t("layout.closeSidebar")}
          onClick={sidebar.close}
        />
      )}
      {isLoading && <div className="screen-progress" aria-hidden />}
      <main id="main" tabIndex={-1} inert={sidebar.isCovering} aria-busy={isLoading}>
        <AlertNotice />
        <FactorNotice />
        <Outlet />
      </main>
      <ConnectionNotice />
      <FrameDialogs dialog={dialog} screens={screens} onOpenShortcuts={openShortcuts} onClose={close} />
    </div>
  );
}
