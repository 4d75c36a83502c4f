import "./recent-activity.css";
import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  RollbackOutlined,
  SendOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { RecentDelivery } from "#contract/mail/statistics.ts";
import { objectPaths } from "#resources/record-source.ts";
import { MAIL_MODEL, toActivityAddress } from "#resources/screens.ts";
import { useModelPermissions } from "../../services.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { ErrorState } from "../../ui/errors.tsx";
import { Panel } from "../../ui/panel.tsx";
import { EmailText } from "../../ui/person.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { RowsSkeleton } from "../../ui/states.tsx";
import { OPENED_FROM_LIST } from "../../views/state/list-context.ts";
import type { useRecentMails } from "./use-monitoring.ts";

/** When the mail got its state, as far as a back end says. */
export const toMoment = ({ timestamp, delivered_at, sent_at }: RecentDelivery) =>
  timestamp ?? delivered_at ?? sent_at;

function Mail({ mail }: { mail: RecentDelivery }) {
  const { search } = useLocation();
  const { id, email, status, failure_reason: reason } = mail;
  const moment = toMoment(mail);
  return (
    <li>
      <DeliveryTag status={status} />
      <span className="recent-mail-address">
        {id === undefined ? (
          <EmailText email={email} />
        ) : (
          <Link to={{ pathname: toActivityAddress(id), search }} state={OPENED_FROM_LIST}>
            <EmailText email={email} />
          </Link>
        )}
      </span>
      {moment != null && (
        <span className="recent-mail-time">
          <RelativeTime moment={moment} />
        </span>
      )}
      {reason !== null && reason !== "" && <p className="recent-mail-reason">{reason}</p>}
    </li>
  );
}

function Mails({ query, mails }: ReturnType<typeof useRecentMails>) {
  const { t } = useTranslation();
  if (!mails && query.isError) {
    return (
      <ErrorState
        title={t("emailMonitoring.errorTitle")}
        text={t("emailMonitoring.failed.activity")}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (!mails) return <RowsSkeleton />;
  if (mails.length === 0) {
    return (
      <div className="panel-empty">
        <p className="state-title">{t("emailMonitoring.recent.none")}</p>
        <p>{t("emailMonitoring.recent.noneHelp")}</p>
      </div>
    );
  }
  return (
    <ol className="recent-mails">
      {mails.map((mail, at) => (
        // Rows of a back end that names no ids have nothing else of their own.
        <Mail key={mail.id ?? `${mail.email} ${at}`} mail={mail} />
      ))}
    </ol>
  );
}

/** The latest mails that the site has sent or tried to send (specification B section 2). */
export function RecentActivity(recent: ReturnType<typeof useRecentMails>) {
  const { t } = useTranslation();
  const { permissions, contentTypeId } = useModelPermissions(MAIL_MODEL);
  const title = t("emailMonitoring.recent.title");
  return (
    <Panel
      title={title}
      end={
        contentTypeId !== undefined &&
        permissions.view && (
          <Link to={objectPaths.list(contentTypeId)}>{t("emailMonitoring.recent.all")}</Link>
        )
      }
    >
      <Mails {...recent} />
    </Panel>
  );
}

const DELIVERY_ICONS = {
  pending: ClockCircleOutlined,
  sent: SendOutlined,
  delivered: CheckCircleOutlined,
  bounced: RollbackOutlined,
  complained: WarningOutlined,
  failed: CloseCircleOutlined,
} as const satisfies Record<RecentDelivery["status"], unknown>;

/** The state of a mail as icon, word and colour. */
export function DeliveryTag({ status }: { status: RecentDelivery["status"] }) {
  const { t } = useTranslation();
  const Icon = DELIVERY_ICONS[status];
  return (
    <span className="delivery-tag" data-status={status}>
      <Icon {...DECORATIVE} />
      {t(`emailMonitoring.status.${status}`)}
    </span>
  );
}
