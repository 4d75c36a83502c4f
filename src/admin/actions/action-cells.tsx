import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import type { ModelRecord } from "#contract/models.ts";
import { isGrouped } from "#resources/action-grouping.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { RowCells } from "../views/list/columns/columns.ts";
import { parseListView } from "../views/state/list-view.ts";
import { ActionIcon } from "./action-icon.tsx";
import { BatchLink } from "./batch-link.tsx";
import { parseEntry, toPersonName } from "./entry.tsx";
import { useEntryAddress } from "./use-entry-address.ts";
import { useEntryText } from "./use-entry-text.ts";

interface CellProps {
  record: ModelRecord;
}

/** The row opens the entry; a link in it opens what it says. */
const keepRowClosed = (event: MouseEvent) => event.stopPropagation();

function TypeCell({ record }: CellProps) {
  const { t } = useTranslation();
  const entry = parseEntry(record);
  return (
    <span className="action-type">
      <ActionIcon entry={entry} /> {t(`audit.types.${entry.action_type}`)}
    </span>
  );
}

function UserCell({ record }: CellProps) {
  const { t } = useTranslation();
  const { user } = parseEntry(record);
  if (!user) return <span className="quiet">{t("audit.system")}</span>;
  return <span title={user.username}>{toPersonName(user)}</span>;
}

function MessageCell({ record }: CellProps) {
  const text = useEntryText()(parseEntry(record));
  return (
    <span className="clipped-cell entry-sentence" title={text}>
      {text}
    </span>
  );
}

function Nothing() {
  const { t } = useTranslation();
  return (
    <span className="cell-empty">
      <span aria-hidden>—</span>
      <span className="visually-hidden">{t("cell.empty")}</span>
    </span>
  );
}

function ModelCell({ record }: CellProps) {
  const name = parseEntry(record).content_type;
  if (name === null) return <Nothing />;
  return (
    <span className="clipped-cell" title={name}>
      {name}
    </span>
  );
}

function ObjectCell({ record }: CellProps) {
  const entry = parseEntry(record);
  const address = useEntryAddress()(entry);
  const [params] = useSearchParams();
  const { batch } = entry;
  if (batch && (batch.count ?? 0) > 1 && isGrouped(parseListView(params))) return <BatchLink batch={batch} />;
  const name = entry.object_repr || (entry.object_id === null ? "" : `#${entry.object_id}`);
  if (name === "") return <Nothing />;
  if (address === undefined)
    return (
      <span className="clipped-cell" title={name}>
        {name}
      </span>
    );
  return (
    <Link className="clipped-cell" to={address} title={name} onClick={keepRowClosed}>
      {name}
    </Link>
  );
}

function TimeCell({ record }: CellProps) {
  return <RelativeTime moment={parseEntry(record).timestamp} />;
}

function AddressCell({ record }: CellProps) {
  const { ip_address } = parseEntry(record);
  return ip_address === null ? <Nothing /> : <span className="ip-address">{ip_address}</span>;
}

/** Columns of the log that say more than a generic cell. */
export const ACTION_CELLS: RowCells = {
  action_type: TypeCell,
  user: UserCell,
  change_message: MessageCell,
  content_type_id: ModelCell,
  object_repr: ObjectCell,
  timestamp: TimeCell,
  ip_address: AddressCell,
};
