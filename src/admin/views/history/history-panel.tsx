import "./history.css";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorState } from "../../parts/error-state.tsx";
import { FormSkeleton } from "../../parts/skeletons.tsx";
import { HistoryEntry } from "../form/history/history-entry.tsx";
import { useHistory } from "./use-history.ts";

/** Everything that was done with one object, as the audit log knows it. */
export function HistoryPanel({ model, id }: { model: RecordSource; id: number }) {
  const { t } = useTranslation();
  const { query, entries } = useHistory(model, id);
  if (query.isPending) return <FormSkeleton />;
  if (query.isError && entries.length === 0)
    return (
      <ErrorState title={t("history.failed")} error={query.error} onRetry={() => void query.refetch()} />
    );
  if (entries.length === 0) return <EmptyState title={t("history.none")} text={t("history.noneHelp")} />;
  return (
    <section aria-label={t("history.title")}>
      <ol className="history">
        {entries.map((entry) => (
          <HistoryEntry key={entry.id} entry={entry} fields={model.fields} />
        ))}
      </ol>
      {query.isFetchNextPageError && (
        <ErrorState
          title={t("history.failed")}
          error={query.error}
          onRetry={() => void query.fetchNextPage()}
        />
      )}
      <div className="history-foot">
        {query.hasNextPage && !query.isFetchNextPageError && (
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t("history.older")}
          </Button>
        )}
        <p role="status">
          {t("history.shown", { count: entries.length })} {!query.hasNextPage && t("history.complete")}
        </p>
      </div>
    </section>
  );
}
