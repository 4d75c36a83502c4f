import { HeartOutlined, MailOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { findModelKey } from "#providers/access-control.ts";
import { emailBouncesResource } from "#resources/email-bounces.ts";
import { emailComplaintsResource } from "#resources/email-complaints.ts";
import { emailMonitoringResource } from "#resources/email-monitoring.ts";
import { healthResource } from "#resources/health.ts";
import { mailboxResource } from "#resources/mailbox.ts";
import { modelsResource } from "#resources/models.ts";
import { ScreenIcon } from "../layout/screen-icon.tsx";
import { useModels } from "../models/use-models.ts";
import { HAS_MAILBOX } from "../navigation/screens.tsx";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { Panel } from "../ui/panel.tsx";

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
