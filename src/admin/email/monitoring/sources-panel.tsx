import "./sources.css";
import { useCustomMutation } from "@refinedev/core";
import { Alert, Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ReplayAnswer, replayAnswer } from "#contract/mail/messages.ts";
import type { MailSourcesAnswer } from "#contract/mail/sources.ts";
import { REPORTS_API } from "#resources/screens.ts";
import { useServices } from "../../services.ts";
import { ErrorState, toErrorText } from "../../ui/errors.tsx";
import { Panel } from "../../ui/panel.tsx";
import { RowsSkeleton } from "../../ui/states.tsx";
import { ReportDialog } from "../report-dialog.tsx";
import { ReturnTestPart } from "./return-test.tsx";
import { SourceCard } from "./source-card.tsx";
import type { useMailSources } from "./use-mail-sources.ts";
import { isAbsent } from "./use-monitoring.ts";

/** Said at the top of the page where the site receives nothing but what the next server answers. */
export function NobodyReports({ answer }: { answer: MailSourcesAnswer | undefined }) {
  const { t } = useTranslation();
  if (!answer || answer.sources.some(({ name, is_set_up }) => is_set_up && name !== "outbox")) return null;
  return (
    <Alert
      role="note"
      type="warning"
      showIcon
      message={t("emailMonitoring.sources.nobodyTitle")}
      description={t("emailMonitoring.sources.nobody")}
    />
  );
}

/** "Does anybody report to us?": every way in, those that are set up first, and a test of them. */
export function WaysIn({ query, answer, step, onStart }: ReturnType<typeof useMailSources>) {
  const { t } = useTranslation();
  const [report, setReport] = useState<number>();
  if (query.isError && isAbsent(query.error)) return null;
  const refetch = () => void query.refetch();
  const title = t("emailMonitoring.sources.title");
  if (!answer) {
    return (
      <Panel title={title} className="ways-in">
        {query.isError ? (
          <ErrorState
            title={t("emailMonitoring.errorTitle")}
            text={t("emailMonitoring.failed.sources")}
            error={query.error}
            onRetry={refetch}
          />
        ) : (
          <RowsSkeleton />
        )}
      </Panel>
    );
  }
  const sources = answer.sources.toSorted((a, b) => Number(b.is_set_up) - Number(a.is_set_up));
  return (
    <Panel title={title} className="ways-in">
      <p className="monitoring-help">{t("emailMonitoring.sources.help")}</p>
      <ReplayReports answer={answer} answeredAt={query.dataUpdatedAt} onAsked={refetch} />
      <ul className="source-cards">
        {sources.map((source) => (
          <SourceCard key={source.name} source={source} onChanged={refetch} onReport={setReport} />
        ))}
      </ul>
      <ReturnTestPart {...{ answer, step, onStart }} onChanged={refetch} />
      {report !== undefined && (
        <ReportDialog id={report} onChanged={refetch} onClose={() => setReport(undefined)} />
      )}
    </Panel>
  );
}

/** What the server said to the wish, and how old the answer about the ways in was at that time. */
interface Asked extends ReplayAnswer {
  answeredAt: number;
}

interface ReplayProps {
  answer: MailSourcesAnswer;
  /** When the answer came. */
  answeredAt: number;
  /** Reads the ways in anew. */
  onAsked: () => void;
}

function useReplayAll({ onAsked }: Pick<ReplayProps, "onAsked">) {
  const { t } = useTranslation();
  const { mutateAsync, mutation } = useCustomMutation();
  const [asked, setAsked] = useState<Asked>();
  const [fault, setFault] = useState<string>();
  async function replay(): Promise<void> {
    setAsked(undefined);
    setFault(undefined);
    try {
      const { data } = await mutateAsync({
        url: `${REPORTS_API}replay/`,
        method: "post",
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      // What was fetched before this answer may not know of it.
      setAsked({ ...replayAnswer.parse(data), answeredAt: Date.now() });
    } catch (error) {
      setFault(toErrorText(error, t));
    }
    // Behind a failure too: it may have come after the server had taken the call.
    onAsked();
  }
  return { replay, asked, fault, isPending: mutation.isPending };
}

/** What came of reading reports again, once they are read. */
function useOutcome(asked: Asked | undefined, { answer, answeredAt }: ReplayProps, left: number) {
  const { t } = useTranslation();
  if (!asked) return undefined;
  const { count, message } = asked;
  if (count === 0) return { isRead: true, text: message };
  if (answeredAt <= asked.answeredAt || answer.unread > 0)
    return { isRead: false, text: t("emailMonitoring.replay.reading", { count }) };
  const parts = [t("emailMonitoring.replay.read", { count: Math.max(0, count - left) })];
  if (left > 0) parts.push(t("emailMonitoring.replay.left", { count: left }));
  return { isRead: true, text: parts.join(" ") };
}

/** Has all reports read again that could not be read, by whichever way they came, and says what came of it. For superusers. */
function ReplayReports(props: ReplayProps) {
  const { t } = useTranslation();
  const { permissions } = useServices();
  const { replay, asked, fault, isPending } = useReplayAll(props);
  const left = props.answer.sources.reduce((sum, { unreadable }) => sum + unreadable, 0);
  const outcome = useOutcome(asked, props, left);
  const isReading = outcome?.isRead === false;
  if (left === 0 && !outcome && !fault) return null;
  return (
    <div className="source-actions replay-reports">
      <span role="status">{outcome?.text ?? t("emailMonitoring.sources.unreadable", { count: left })}</span>
      {!permissions.isSuperuser && <span>{t("emailMonitoring.replay.superuser")}</span>}
      {permissions.isSuperuser && (left > 0 || isReading) && (
        <Button size="small" loading={isPending || isReading} onClick={() => void replay()}>
          {t("emailMonitoring.replay.all")}
        </Button>
      )}
      {fault && (
        <p role="alert" className="source-bad">
          {t("emailMonitoring.replay.failed")}: {fault}
        </p>
      )}
    </div>
  );
}
