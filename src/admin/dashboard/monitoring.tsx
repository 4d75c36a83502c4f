import { HeartOutlined, MailOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { healthResource } from "#resources/health.ts";
import { mailboxResource } from "#resources/mailbox.ts";
import { modelsResource } from "#resources/models.ts";
import { HAS_MAILBOX } from "../mailbox/has-mailbox.ts";
import { useModels } from "../models/use-models.ts";
import { DECORATIVE } from "../parts/decorative.ts";
import { useServices } from "../services.ts";
import { Panel } from "./panel.tsx";

const MAIL_APP = "mail";

/** Links to the screens that watch over the site. */
export function Monitoring() {
  const { t } = useTranslation();
  const { permissions } = useServices();
  const { models } = useModels();
  const hasMail = models.some(({ app_label }) => app_label === MAIL_APP);
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
