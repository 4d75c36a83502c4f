import { useTranslation } from "react-i18next";
import { Outlet, useNavigation } from "react-router";
import { useGoToKeys } from "../shortcuts/use-go-to-keys.ts";
import { useShortcutKeys } from "../shortcuts/use-shortcut-keys.ts";
import { AdminHeader } from "./admin-header.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import { FrameDialogs } from "./frame-dialogs.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useFrameDialog } from "./use-frame-dialog.ts";
import { useScreens } from "./use-screens.ts";
import { useSidebar } from "./use-sidebar.ts";

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
        <Outlet />
      </main>
      <ConnectionNotice />
      <FrameDialogs dialog={dialog} screens={screens} onOpenShortcuts={openShortcuts} onClose={close} />
    </div>
  );
}
