import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";

interface RecordLinksProps {
  model: RecordSource;
  record: ModelRecord;
  /** The record shows as text, to somebody who may change it. */
  canEdit: boolean;
}

/** Ways from a record to its form and to the screens that show more of it. */
export function RecordLinks({ model, record, canEdit }: RecordLinksProps) {
  const { t } = useTranslation();
  const { search, state } = useLocation();
  const { links = [], paths } = model;
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
