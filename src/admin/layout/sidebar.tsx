import {
  AuditOutlined,
  DashboardOutlined,
  DatabaseOutlined,
  HeartOutlined,
  MailOutlined,
  SafetyOutlined,
  SettingOutlined,
  TeamOutlined,
} from "@ant-design/icons";
import { useGetIdentity, useResourceParams } from "@refinedev/core";
import type { ReactNode, Ref } from "react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import type { AccountUser } from "#contract/accounts.ts";
import { DECORATIVE } from "../parts/decorative.ts";

/** Every other address lies below it. */
const HOME = "/admin";

export const SIDEBAR_ID = "sidebar";

/** Icons by the name that a resource gives. */
const ICONS: Readonly<Record<string, ReactNode>> = {
  dashboard: <DashboardOutlined {...DECORATIVE} />,
  users: <TeamOutlined {...DECORATIVE} />,
  "access-levels": <SafetyOutlined {...DECORATIVE} />,
  models: <DatabaseOutlined {...DECORATIVE} />,
  actions: <AuditOutlined {...DECORATIVE} />,
  health: <HeartOutlined {...DECORATIVE} />,
  settings: <SettingOutlined {...DECORATIVE} />,
  mailbox: <MailOutlined {...DECORATIVE} />,
};

/** Links to every resource that has a list, and that the person's level opens where the resource names one. */
export function Sidebar({ isHidden, ref }: { isHidden: boolean; ref: Ref<HTMLElement> }) {
  const { t } = useTranslation();
  const { resources } = useResourceParams();
  const { data: user } = useGetIdentity<AccountUser>();
  const isOpen = (level: unknown) => typeof level !== "number" || level <= (user?.access_level ?? 0);
  return (
    <nav ref={ref} id={SIDEBAR_ID} className="sidebar" aria-label={t("layout.navigation")} inert={isHidden}>
      <ul>
        {resources.map(({ name, list, meta }) =>
          typeof list === "string" && isOpen(meta?.level) ? (
            <li key={name}>
              <NavLink to={list} end={list === HOME}>
                {ICONS[String(meta?.icon)]}
                {/* Resources are data and name their text by key; locales.test.ts knows which keys there are. */}
                {t(meta?.labelKey)}
              </NavLink>
            </li>
          ) : null,
        )}
      </ul>
    </nav>
  );
}
