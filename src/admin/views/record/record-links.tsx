import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import { ACTION_MODEL, actionsResource } from "#resources/actions.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useServices } from "../../services.ts";
import { EmptyState } from "../../ui/states.tsx";
import { buildListViewParams, EMPTY_VIEW } from "../state/list-view.ts";

interface RecordLinksProps {
  source: RecordSource;
  record: ModelRecord;
  /** The record shows as text, to somebody who may change it. */
  canEdit: boolean;
}

/** Ways from a record to its form and to the screens that show more of it. */
export function RecordLinks({ source, record, canEdit }: RecordLinksProps) {
  const { t } = useTranslation();
  const { search, state } = useLocation();
  const { links = [], paths } = source;
  if (links.length === 0 && !canEdit) return null;
  return (
    <ul className="record-links">
      {canEdit && (
        <li>
          <Link to={{ pathname: paths.edit(record.id), search }} state={state} replace>
            {t("actions.edit")}
          </Link>
        </li>
      )}
      {links.map(({ label, to }) => (
        <li key={to}>
          <Link to={to}>{label}</Link>
        </li>
      ))}
    </ul>
  );
}

/** An address of a record that is no more: trying again would not help, the log says what became of it. */
export function GoneRecord({ source, id }: { source: RecordSource; id: number }) {
  const { t } = useTranslation();
  const { permissions } = useServices();
  const filters = [
    { field: "content_type_id", operator: "exact", value: String(source.content_type_id) },
    { field: "object_id", operator: "exact", value: String(id) },
  ] as const;
  const search = buildListViewParams({ ...EMPTY_VIEW, filters }).toString();
  return (
    <EmptyState
      title={t("form.noRecord.title")}
      text={t("form.noRecord.text")}
      action={
        permissions.can("view", ACTION_MODEL) && (
          <Link to={{ pathname: actionsResource.list, search }}>{t("audit.ofObject")}</Link>
        )
      }
    />
  );
}
