import {
  AuditOutlined,
  DatabaseOutlined,
  HeartOutlined,
  PlusOutlined,
  SettingOutlined,
  TeamOutlined,
  UserAddOutlined,
} from "@ant-design/icons";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ModelInfo } from "#contract/models.ts";
import { actionsResource } from "#resources/actions.ts";
import { healthResource } from "#resources/health.ts";
import { modelsResource } from "#resources/models.ts";
import { objectPaths } from "#resources/objects.ts";
import { settingsResource } from "#resources/settings.ts";
import { usersResource } from "#resources/users.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { Panel } from "../ui/panel.tsx";

/** More would be a menu. */
const NEW_RECORDS_SHOWN = 3;

interface QuickAction {
  label: string;
  to: string;
  icon: ReactNode;
}

/** Models of people have an action of their own. */
const isQuicklyCreated = ({ permissions, is_singleton, app_label }: ModelInfo) =>
  permissions.create && !is_singleton && app_label !== "accounts";

function useQuickActions(models: readonly ModelInfo[]): QuickAction[] {
  const { t } = useTranslation();
  const { permissions } = useServices();
  const news = models
    .filter(isQuicklyCreated)
    .slice(0, NEW_RECORDS_SHOWN)
    .map((model) => ({
      label: t("dashboard.quick.new", { name: model.verbose_name }),
      to: objectPaths.create(model.content_type_id),
      icon: <PlusOutlined {...DECORATIVE} />,
    }));
  const screens = [
    { label: t("nav.users"), to: usersResource.list, icon: <TeamOutlined {...DECORATIVE} /> },
    { label: t("nav.models"), to: modelsResource.list, icon: <DatabaseOutlined {...DECORATIVE} /> },
    { label: t("nav.actions"), to: actionsResource.list, icon: <AuditOutlined {...DECORATIVE} /> },
    { label: t("nav.health"), to: healthResource.list, icon: <HeartOutlined {...DECORATIVE} /> },
    { label: t("nav.settings"), to: settingsResource.list, icon: <SettingOutlined {...DECORATIVE} /> },
  ];
  if (!permissions.can("create", "accounts.user")) return [...news, ...screens];
  const addUser = {
    label: t("dashboard.quick.addUser"),
    to: `${usersResource.list}/new`,
    icon: <UserAddOutlined {...DECORATIVE} />,
  };
  return [...news, addUser, ...screens];
}

/** What people come for, one step away. */
export function QuickActions({ models }: { models: readonly ModelInfo[] }) {
  const { t } = useTranslation();
  const actions = useQuickActions(models);
  return (
    <Panel title={t("dashboard.quick.title")}>
      <ul className="quick-actions">
        {actions.map(({ label, to, icon }) => (
          <li key={to}>
            <Link to={to}>
              {icon}
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
