import {
  AuditOutlined,
  DatabaseOutlined,
  HeartOutlined,
  MailOutlined,
  PlusOutlined,
  SettingOutlined,
  TeamOutlined,
  UserAddOutlined,
} from "@ant-design/icons";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ModelInfo } from "#contract/content/models.ts";
import { findModelKey } from "#providers/refine/permissions.ts";
import { actionsResource } from "#resources/actions.ts";
import { emailBouncesResource } from "#resources/email-bounces.ts";
import { emailComplaintsResource } from "#resources/email-complaints.ts";
import { objectPaths, toRecordSource } from "#resources/record-source.ts";
import {
  emailMonitoringResource,
  healthResource,
  mailboxResource,
  modelsResource,
  settingsResource,
} from "#resources/screens.ts";
import { usersResource } from "#resources/users.ts";
import { toModelSize, useCountText } from "../models/counts.ts";
import { toModelPath, useModels } from "../models/use-models.ts";
import { HAS_MAILBOX, ScreenIcon } from "../navigation/screens.tsx";
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

/** Dashboard models shown (specification B section 9). */
const MODELS_SHOWN = 6;

export function DashboardModels({ models }: { models: readonly ModelInfo[] }) {
  const { t } = useTranslation();
  const countText = useCountText();
  return (
    <Panel
      title={t("dashboard.models.title")}
      end={
        models.length > 0 && (
          <Link to={modelsResource.list}>
            {t("dashboard.models.all")}
            <span className="visually-hidden">: {t("dashboard.models.title")}</span>
          </Link>
        )
      }
    >
      {models.length === 0 ? (
        <div className="panel-empty">
          <p className="state-title">{t("models.none")}</p>
          <p>{t("models.noneHelp")}</p>
        </div>
      ) : (
        <ul className="panel-links">
          {models.slice(0, MODELS_SHOWN).map((model) => (
            <li key={model.content_type_id}>
              <Link to={toModelPath(toRecordSource(model))}>
                <span className="panel-link-name">{model.verbose_name_plural}</span>
                <span className="panel-link-count">{countText(model.count, model.count_is_estimate)}</span>
                <span className="size-badge" data-size={toModelSize(model.count)}>
                  {t(`models.size.${toModelSize(model.count)}`)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const MAIL_APP = "mail";
const MAIL_SCREENS = [emailMonitoringResource, emailBouncesResource, emailComplaintsResource] as const;

/** Links to the screens that watch over the site. */
export function Monitoring() {
  const { t } = useTranslation();
  const { permissions } = useServices();
  const { models } = useModels();
  const hasMail = models.some(({ app_label }) => app_label === MAIL_APP);
  const mailScreens = MAIL_SCREENS.filter(({ name }) => {
    const model = findModelKey(name);
    return model === undefined || permissions.can("view", model);
  });
  const mailIcon = <MailOutlined {...DECORATIVE} />;
  return (
    <Panel title={t("dashboard.monitoring.title")}>
      <ul className="quick-actions">
        <li>
          <Link to={healthResource.list}>
            <HeartOutlined {...DECORATIVE} />
            {t("nav.health")}
          </Link>
        </li>
        {mailScreens.map(({ name, list, meta }) => (
          <li key={name}>
            <Link to={list}>
              <ScreenIcon name={meta.icon} />
              {t(meta.labelKey)}
            </Link>
          </li>
        ))}
        {hasMail && (
          <li>
            <Link to={{ pathname: modelsResource.list, search: `?app=${MAIL_APP}` }}>
              {mailIcon}
              {t("dashboard.monitoring.mail")}
            </Link>
          </li>
        )}
        {HAS_MAILBOX && permissions.accessLevel >= mailboxResource.meta.level && (
          <li>
            <Link to={mailboxResource.list}>
              {mailIcon}
              {t("nav.mailbox")}
            </Link>
          </li>
        )}
      </ul>
    </Panel>
  );
}
