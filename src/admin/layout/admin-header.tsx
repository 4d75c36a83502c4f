import { LogoutOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from "@ant-design/icons";
import { useGetIdentity, useLogout } from "@refinedev/core";
import { App, Button } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { AccountUser } from "#contract/accounts.ts";
import { DECORATIVE } from "../parts/decorative.ts";
import { forgetUnsaved, hasUnsaved } from "../unsaved.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { SIDEBAR_ID } from "./sidebar.tsx";

interface AdminHeaderProps {
  isSidebarOpen: boolean;
  onToggleSidebar: () => void;
}

/** Logs out, after asking where typed things would be lost: the tokens are gone before the browser could ask. */
function useLogOut() {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const { mutate: logout, isPending } = useLogout();
  function ask(): void {
    modal.confirm({
      title: t("unsaved.title"),
      content: t("unsaved.text"),
      okText: t("unsaved.leave"),
      okButtonProps: { danger: true },
      cancelText: t("unsaved.stay"),
      autoFocusButton: "cancel",
      onOk() {
        forgetUnsaved();
        logout();
      },
    });
  }
  return { logOut: () => (hasUnsaved() ? ask() : logout()), isPending };
}

export function AdminHeader({ isSidebarOpen, onToggleSidebar }: AdminHeaderProps) {
  const { t } = useTranslation();
  const { data: user } = useGetIdentity<AccountUser>();
  const { logOut, isPending } = useLogOut();
  return (
    <header className="admin-header">
      <Button
        type="text"
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
        <LanguageSwitch />
        <span className="username">{user?.username}</span>
        <Button
          type="text"
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
