import "./email.css";
import { useCustom, useCustomMutation } from "@refinedev/core";
import { Alert, Button, Modal } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { batchAnswer } from "#contract/content/bulk.ts";
import { type MailReportAnswer, mailReportAnswer } from "#contract/mail/messages.ts";
import { REPORTS_API } from "#resources/screens.ts";
import { useReturnedFocus } from "../ui/accessibility.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { ErrorState, toErrorText } from "../ui/errors.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { FormSkeleton } from "../ui/states.tsx";
import { MailEvents, useMailWords } from "./mail-events.tsx";

/** A report that is to be read is read within moments. */
const UNREAD_AGAIN_MS = 1_000;
const isUnread = (answer: unknown) => mailReportAnswer.safeParse(answer).data?.state === "new";

function useReport(id: number) {
  const { query } = useCustom<MailReportAnswer>({
    url: `${REPORTS_API}${id}/`,
    method: "get",
    queryOptions: {
      staleTime: 0,
      gcTime: 0,
      select: ({ data }) => ({ data: mailReportAnswer.parse(data) }),
      refetchInterval: ({ state }) => isUnread(state.data?.data) && UNREAD_AGAIN_MS,
    },
    errorNotification: false,
  });
  return { query, report: query.data?.data };
}

interface Outcome {
  isDone: boolean;
  text: string;
}

/** Has the server read a report anew; whether it will is said in the dialog. */
function useReplay(id: number, onSent: () => void) {
  const { t } = useTranslation();
  const { mutateAsync, mutation } = useCustomMutation();
  const [outcome, setOutcome] = useState<Outcome>();
  async function replay(): Promise<void> {
    setOutcome(undefined);
    try {
      const { data } = await mutateAsync({
        url: `${REPORTS_API}${id}/replay/`,
        method: "post",
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      const { success, message } = batchAnswer.parse(data);
      const usual = success ? t("mailReport.againDone") : t("mailReport.againFailed");
      setOutcome({ isDone: success, text: message ?? usual });
    } catch (error) {
      setOutcome({ isDone: false, text: `${t("mailReport.againFailed")}: ${toErrorText(error, t)}` });
    }
    // Behind a failure too: it may have come after the server had taken the call.
    onSent();
  }
  return { replay, outcome, isPending: mutation.isPending };
}

function Facts({ report }: { report: MailReportAnswer }) {
  const { t } = useTranslation();
  const { sourceText } = useMailWords();
  const { source, received_at, state, error, parser_version } = report;
  const stateText = t(`mailReport.states.${state}` as "mailReport.states.read", { defaultValue: state });
  const versionText =
    parser_version === null ? "" : t("mailReport.version", { version: String(parser_version) });
  return (
    <dl className="report-facts">
      <div>
        <dt>{t("mailReport.source")}</dt>
        <dd>{sourceText(source)}</dd>
      </div>
      <div>
        <dt>{t("mailReport.received")}</dt>
        <dd>
          <RelativeTime moment={received_at} />
        </dd>
      </div>
      <div>
        <dt>{t("mailReport.state")}</dt>
        <dd>{[stateText, error, versionText].filter(Boolean).join(" · ")}</dd>
      </div>
    </dl>
  );
}

/** The scrubbed source as text. */
function Content({ content }: Pick<MailReportAnswer, "content">) {
  const { t } = useTranslation();
  if (content === null || content === undefined) return <p>{t("mailReport.blank")}</p>;
  const text = JSON.stringify(content, null, 2);
  return (
    <section className="report-content">
      <div className="report-content-head">
        <h2>{t("mailReport.content")}</h2>
        <CopyButton text={text} label={t("mailReport.copy")} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

function Report({ report }: { report: MailReportAnswer }) {
  const { t } = useTranslation();
  return (
    <>
      <Facts report={report} />
      <h2>{t("mailReport.events")}</h2>
      {report.events.length === 0 ? <p>{t("mailReport.noEvents")}</p> : <MailEvents events={report.events} />}
      <Content content={report.content} />
    </>
  );
}

interface ReportDialogProps {
  id: number;
  /** It was read again, which may have found more. */
  onChanged: () => void;
  onClose: () => void;
}

/** A report as it came, scrubbed, what was read out of it, and the way to have it read again. For superusers. */
export function ReportDialog({ id, onChanged, onClose }: ReportDialogProps) {
  const { t } = useTranslation();
  useReturnedFocus();
  const { query, report } = useReport(id);
  const { replay, outcome, isPending } = useReplay(id, () => void query.refetch());
  const close = () => {
    if (outcome) onChanged();
    onClose();
  };
  return (
    <Modal
      open
      width={720}
      title={t("mailReport.title", { id: String(id) })}
      closable={false}
      onCancel={close}
      footer={
        <>
          {report && (
            <Button loading={isPending} onClick={() => void replay()}>
              {t("mailReport.again")}
            </Button>
          )}
          <Button type="primary" autoFocus onClick={close}>
            {t("actions.close")}
          </Button>
        </>
      }
    >
      {outcome && (
        <Alert
          type={outcome.isDone ? "success" : "error"}
          role={outcome.isDone ? "status" : "alert"}
          showIcon
          message={outcome.text}
        />
      )}
      {report && <Report report={report} />}
      {!report && query.isError && (
        <ErrorState title={t("mailReport.failed")} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!report && !query.isError && <FormSkeleton />}
    </Modal>
  );
}
