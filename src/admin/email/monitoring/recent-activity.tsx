import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { RecentDelivery } from "#contract/mail-stats.ts";
import { MAIL_MODEL, toActivityAddress } from "#resources/email-monitoring.ts";
import { objectPaths } from "#resources/objects.ts";
import { EmailText } from "../../parts/email-text.tsx";
import { ErrorState } from "../../parts/error-state.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { RowsSkeleton } from "../../parts/skeletons.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useModelPermissions } from "../../use-model-permissions.ts";
import { OPENED_FROM_LIST } from "../../views/state/list-context.ts";
import { DeliveryTag } from "./delivery-tag.tsx";
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
