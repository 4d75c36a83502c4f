import "./sources.css";
import { Alert } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MailSourcesAnswer } from "#contract/mail-sources.ts";
import { ErrorState } from "../../parts/error-state.tsx";
import { RowsSkeleton } from "../../parts/skeletons.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ReportDialog } from "../report-dialog.tsx";
import { ReplayReports } from "./replay-reports.tsx";
import { ReturnTestPart } from "./return-test.tsx";
import { SourceCard } from "./source-card.tsx";
import type { useMailSources } from "./use-mail-sources.ts";
import { isAbsent } from "./use-monitoring.ts";

/** Said at the top of the page where the site hears nothing but what the next server answers. */
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
