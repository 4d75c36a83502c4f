import { MenuFoldOutlined, MenuUnfoldOutlined, SearchOutlined } from "@ant-design/icons";
import { useGetIdentity } from "@refinedev/core";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { AccountUser } from "#contract/accounts/accounts.ts";
import { JobsIndicator } from "../jobs/jobs-indicator.tsx";
import { isMac, KeyCaps } from "../shortcuts/keys.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import { useMedia } from "../ui/viewport.ts";
import { AccountMenu, LanguageSwitch, LogOutButton, SiteLink } from "./account-menu.tsx";
import { SIDEBAR_ID } from "./sidebar.tsx";

/** The longest words of the bar stand side by side from here on; below, the account's own are in a menu. */
const ROOMY = "(min-width: 1024px)";

interface AdminHeaderProps {
  isSidebarOpen: boolean;
  onToggleSidebar: () => void;
  onOpenPalette: () => void;
}

function PaletteButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="palette-button"
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac() ? "Meta+K" : "Control+K"}
      onClick={onOpen}
    >
      <SearchOutlined {...DECORATIVE} />
      <span className="palette-button-text">{t("palette.open")}</span>
      <span aria-hidden>
        <KeyCaps keys="Mod+k" />
      </span>
    </button>
  );
}

/** Who is signed in, and what belongs to them and not to the screen. */
function AccountPart() {
  const { data: user } = useGetIdentity<AccountUser>();
  const isRoomy = useMedia(ROOMY);
  const username = user?.username ?? "";
  if (!isRoomy) return <AccountMenu username={username} />;
  return (
    <>
      <SiteLink />
      <LanguageSwitch />
      <span className="username" title={username}>
        {username}
      </span>
      <LogOutButton />
    </>
  );
}

export function AdminHeader({ isSidebarOpen, onToggleSidebar, onOpenPalette }: AdminHeaderProps) {
  const { t } = useTranslation();
  return (
    <header className="admin-header">
      <Button
        type="text"
        className="header-button"
        icon={isSidebarOpen ? <MenuFoldOutlined {...DECORATIVE} /> : <MenuUnfoldOutlined {...DECORATIVE} />}
        aria-label={t("layout.toggleSidebar")}
        aria-expanded={isSidebarOpen}
        aria-controls={SIDEBAR_ID}
        onClick={onToggleSidebar}
      />
      <Link className="brand" to="/admin">
        {t("layout.brand")}
      </Link>
      <div className="admin-header-end">
        <PaletteButton onOpen={onOpenPalette} />
        <JobsIndicator />
        <AccountPart />
      </div>
    </header>
  );
}
