import "./email.css";
import { useCustom } from "@refinedev/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type TimelineAnswer, timelineAnswer } from "#contract/mail/messages.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import { objectPaths } from "#resources/record-source.ts";
import { TIMELINE_API, TIMELINE_EMAIL } from "#resources/screens.ts";
import { toStopReasonText } from "#resources/suppressions.ts";
import { useModelPermissions } from "../services.ts";
import { ErrorState } from "../ui/errors.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { EmptyState, FormSkeleton } from "../ui/states.tsx";
import { MailEvents, useMailWords } from "./mail-events.tsx";
import { ReportDialog } from "./report-dialog.tsx";
import { SuppressionState } from "./suppression-state.tsx";
import { useMailRefresh } from "./use-mail-refresh.ts";

/** Everything that is known of the mails to an address, fetched anew whenever it is opened and when mail changes. */
function useTimeline(email: string) {
  const { query } = useCustom<TimelineAnswer>({
    url: TIMELINE_API,
    method: "get",
    config: { query: { [TIMELINE_EMAIL]: email } },
    queryOptions: { staleTime: 0, select: ({ data }) => ({ data: timelineAnswer.parse(data) }) },
    errorNotification: false,
  });
  useMailRefresh(query.refetch);
  return { query, timeline: query.data?.data };
}

interface MailProps {
  mail: TimelineAnswer["mails"][number];
  onReport: (id: number) => void;
}

/** One mail and what happened to it. */
function Mail({ mail: { id, kind_label, created_at, state, events }, onReport }: MailProps) {
  const { t } = useTranslation();
  const { kindText } = useMailWords();
  const { permissions, contentTypeId } = useModelPermissions("mail.message");
  const canOpen = permissions.view && contentTypeId !== undefined;
  return (
    <li className="timeline-mail">
      <p className="timeline-mail-head">
        {canOpen ? (
          <Link to={objectPaths.edit(contentTypeId, id)}>{kind_label}</Link>
        ) : (
          <strong>{kind_label}</strong>
        )}
        <span className="timeline-state" data-state={state}>
          {kindText(state)}
        </span>
        <span className="mail-event-meta">
          <RelativeTime moment={created_at} />
        </span>
      </p>
      {events.length === 0 ? (
        <p className="mail-event-meta">{t("emailTimeline.noEvents")}</p>
      ) : (
        <MailEvents events={events} onReport={onReport} />
      )}
    </li>
  );
}

interface MailsProps {
  timeline: TimelineAnswer;
  /** What is known may be more now. */
  onChanged: () => void;
}

function Mails({ timeline: { mails, has_more }, onChanged }: MailsProps) {
  const { t } = useTranslation();
  const [report, setReport] = useState<number>();
  if (mails.length === 0)
    return <EmptyState title={t("emailTimeline.none")} text={t("emailTimeline.noneHelp")} />;
  return (
    <>
      <ol className="timeline-mails" aria-label={t("emailTimeline.mails")}>
        {mails.map((mail) => (
          <Mail key={mail.id} mail={mail} onReport={setReport} />
        ))}
      </ol>
      {has_more && <p className="mail-event-meta">{t("emailTimeline.more", { count: mails.length })}</p>}
      {report !== undefined && (
        <ReportDialog id={report} onChanged={onChanged} onClose={() => setReport(undefined)} />
      )}
    </>
  );
}

/** Everything that is known of the mails to one address: whether mail reaches it, and each mail with what happened to it. */
export function RecipientTimeline({ email }: { email: string }) {
  const { t } = useTranslation();
  const { query, timeline } = useTimeline(email);
  if (timeline) {
    const { suppression } = timeline;
    return (
      <div className="timeline">
        <SuppressionState state={suppression} />
        {suppression && (
          <p className="mail-event-meta">
            {t("emailTimeline.reason")}: {toStopReasonText(t, suppression.reason)}
          </p>
        )}
        <Mails timeline={timeline} onChanged={() => void query.refetch()} />
      </div>
    );
  }
  if (isDataError(query.error) && query.error.statusCode === 404)
    return <EmptyState title={t("emailTimeline.missing")} text={t("emailTimeline.missingHelp")} />;
  if (query.isError)
    return (
      <ErrorState
        title={t("emailLists.errorTitle")}
        text={t("emailTimeline.failed")}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  return <FormSkeleton />;
}
