import { Drawer } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import type { RecentDelivery } from "#contract/mail/statistics.ts";
import { objectPaths } from "#resources/record-source.ts";
import { emailMonitoringResource, MAIL_MODEL, toTimelinePath } from "#resources/screens.ts";
import { toId, useStepBack } from "../../navigation/addresses.ts";
import { useModelPermissions } from "../../services.ts";
import { useReturnedFocus } from "../../ui/accessibility.ts";
import { ErrorState } from "../../ui/errors.tsx";
import { FactsList } from "../../ui/panel.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { EmptyState, FormSkeleton } from "../../ui/states.tsx";
import { isOpenedFromList } from "../../views/state/list-context.ts";
import { DeliveryTag, toMoment } from "./recent-activity.tsx";
import { useRecentMails } from "./use-monitoring.ts";

function Facts({ mail }: { mail: RecentDelivery }) {
  const { t } = useTranslation();
  const toTime = (moment: string | null | undefined): ReactNode =>
    moment == null ? t("emailMonitoring.activity.never") : <RelativeTime moment={moment} />;
  const { email, status, sent_at, delivered_at, failure_reason: reason } = mail;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t("emailMonitoring.activity.recipient"), email],
    [t("emailMonitoring.activity.status"), <DeliveryTag key="status" status={status} />],
    [t("emailMonitoring.activity.timestamp"), toTime(toMoment(mail))],
    [t("emailMonitoring.activity.sent_at"), toTime(sent_at)],
    [
      t("emailMonitoring.activity.delivered_at"),
      delivered_at === null && sent_at !== null ? t("emailMonitoring.activity.untold") : toTime(delivered_at),
    ],
    ...(reason ? [[t("emailMonitoring.activity.failure_reason"), reason] as const] : []),
  ];
  return (
    <>
      <p className="activity-help">{t(`emailMonitoring.activity.help.${status}`)}</p>
      <FactsList facts={rows} />
    </>
  );
}

/** Where more is known of the mail, and of what else went to its recipient. */
function Links({ id, email }: { id: number; email?: string }) {
  const { t } = useTranslation();
  const { permissions, contentTypeId } = useModelPermissions(MAIL_MODEL);
  if (contentTypeId === undefined || !permissions.view) return null;
  return (
    <ul className="activity-links">
      <li>
        <Link to={objectPaths.edit(contentTypeId, id)}>{t("emailMonitoring.activity.record")}</Link>
      </li>
      {email !== undefined && (
        <li>
          <Link to={toTimelinePath(email)}>{t("emailMonitoring.activity.others")}</Link>
        </li>
      )}
    </ul>
  );
}

function Body({ id, query, mail }: { id: number; mail: RecentDelivery | undefined } & Pick<Recent, "query">) {
  const { t } = useTranslation();
  if (mail) {
    return (
      <>
        <Facts mail={mail} />
        <Links id={id} email={mail.email} />
      </>
    );
  }
  if (query.isError) {
    return (
      <ErrorState
        title={t("emailMonitoring.errorTitle")}
        text={t("emailMonitoring.failed.activity")}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (query.isPending) return <FormSkeleton />;
  return (
    <EmptyState
      title={t("emailMonitoring.activity.gone")}
      text={t("emailMonitoring.activity.goneHelp")}
      action={Number.isNaN(id) ? undefined : <Links id={id} />}
    />
  );
}

type Recent = ReturnType<typeof useRecentMails>;

/** `/admin/email-monitoring/:mailId`: one of the latest mails, over the figures. */
export function ActivityDrawer() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const stepBack = useStepBack();
  const { state, search } = useLocation();
  const { query, mails } = useRecentMails();
  const id = toId(useParams().mailId);
  const mail = mails?.find((one) => one.id === id);
  useReturnedFocus();
  const close = () => {
    if (isOpenedFromList(state)) stepBack();
    else void navigate({ pathname: emailMonitoringResource.list, search }, { replace: true });
  };
  return (
    <Drawer
      open
      title={
        mail ? t("emailMonitoring.activity.title", { email: mail.email }) : t("emailMonitoring.activity.one")
      }
      width="min(560px, 100%)"
      onClose={close}
      closable={{ "aria-label": t("actions.close") }}
    >
      <Body id={id} query={query} mail={mail} />
    </Drawer>
  );
}
