import "./history.css";
import { DeleteOutlined, EditOutlined, EyeOutlined, PlusCircleOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import type { HistoryEntry as Entry } from "#contract/content/objects.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { ErrorState } from "../../ui/errors.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { EmptyState, FormSkeleton } from "../../ui/states.tsx";
import { ChangesTable } from "./changes-table.tsx";
import { useDetailText } from "./describe-entry.ts";
import { useHistory } from "./use-history.ts";

/** Everything that was done with one object, as the audit log knows it. */
export function HistoryPanel({ source, id }: { source: RecordSource; id: number }) {
  const { t } = useTranslation();
  const { query, entries } = useHistory(source, id);
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
          <HistoryEntry key={entry.id} entry={entry} fields={source.fields} />
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

/** So many changed fields are shown at once; more of them open on request. */
const OPEN_UP_TO = 5;

const ICONS = {
  CREATE: PlusCircleOutlined,
  UPDATE: EditOutlined,
  DELETE: DeleteOutlined,
  VIEW: EyeOutlined,
  LOGIN: EyeOutlined,
  LOGOUT: EyeOutlined,
} as const satisfies Record<Entry["action_type"], unknown>;

function Changes({ entry, fields }: { entry: Entry; fields: readonly FieldInfo[] }) {
  const { t } = useTranslation();
  const count = Object.keys(entry.changes).length;
  if (count === 0) return null;
  const isUpdate = entry.action_type === "UPDATE";
  return (
    <details open={isUpdate && count <= OPEN_UP_TO}>
      <summary>{t(isUpdate ? "history.showChanges" : "history.showValues", { count })}</summary>
      <ChangesTable changes={entry.changes} fields={fields} />
    </details>
  );
}

/** One entry of the log: what was done, by whom, when, and which fields it changed. */
function HistoryEntry({ entry, fields }: { entry: Entry; fields: readonly FieldInfo[] }) {
  const { t } = useTranslation();
  const toDetail = useDetailText();
  const Icon = ICONS[entry.action_type];
  const detail = toDetail(entry);
  return (
    <li className="history-entry">
      <p className="history-head">
        <Icon {...DECORATIVE} className="history-icon" />
        <strong>{t(`history.action.${entry.action_type}`)}</strong>
        <span>{entry.user?.username ?? t("history.system")}</span>
        <span className="history-time">
          <RelativeTime moment={entry.timestamp} />
        </span>
      </p>
      {detail !== "" && <p className="history-detail">{detail}</p>}
      <Changes entry={entry} fields={fields} />
    </li>
  );
}
