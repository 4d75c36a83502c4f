import { LogoutOutlined, MenuFoldOutlined, MenuUnfoldOutlined, SearchOutlined } from "@ant-design/icons";
import { useGetIdentity } from "@refinedev/core";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { AccountUser } from "#contract/accounts.ts";
import { JobsIndicator } from "../jobs/jobs-indicator.tsx";
import { DECORATIVE } from "../parts/decorative.ts";
import { KeyCaps } from "../shortcuts/key-caps.tsx";
import { isMac } from "../shortcuts/key-name.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { SIDEBAR_ID } from "./sidebar.tsx";
import { useLogOut } from "./use-log-out.ts";

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

export function AdminHeader({ isSidebarOpen, onToggleSidebar, onOpenPalette }: AdminHeaderProps) {
  const { t } = useTranslation();
  const { data: user } = useGetIdentity<AccountUser>();
  const { logOut, isPending } = useLogOut();
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
        <LanguageSwitch />
        <span className="username" title={user?.username}>
          {user?.username}
        </span>
        <Button
          type="text"
          className="header-button"
          icon={<LogoutOutlined {...DECORATIVE} />}
          aria-label={t("layout.logOut")}
          loading={isPending}
          onClick={logOut}
        >
          <span className="wide-only">{t("layout.logOut")}</span>
        </Button>
      </div>
    </header>
  );
}
