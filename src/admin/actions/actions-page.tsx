import "./actions.css";
import { type MouseEvent, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import { ACTION_MODEL, buildActionsSource, FOLDED_FIELD, isGrouped } from "#resources/actions.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { USER_MODEL } from "#resources/users.ts";
import { useModels } from "../models/use-models.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { useModelPermissions } from "../services.ts";
import { RelativeTime } from "../ui/relative-time.tsx";
import { RowsSkeleton } from "../ui/states.tsx";
import type { RowCells } from "../views/list/columns/columns.ts";
import { ListPage, type ListPageProps } from "../views/list/list-page.tsx";
import { parseListView } from "../views/state/list-view.ts";
import { BatchLink } from "./batch-link.tsx";
import { ActionIcon, parseEntry, toPersonName, useEntryAddress, useEntryText } from "./entry.tsx";
import { isUserFilter, UserFilter } from "./user-filter.tsx";

function ListSkeleton({ source }: { source: RecordSource }) {
  return (
    <>
      <PageHeader title={source.verbose_name_plural} text={source.description} />
      <RowsSkeleton />
    </>
  );
}

/** `/admin/actions` (specification B section 2): the generic list over the documented log. */
export function ActionsPage() {
  const usersModel = useModelPermissions(USER_MODEL).contentTypeId;
  const ownFilter = useMemo<ListPageProps["ownFilter"]>(
    () => ({
      draw: (filters, onChange) => (
        <UserFilter filters={filters} onChange={onChange} usersModel={usersModel} />
      ),
      owns: isUserFilter,
    }),
    [usersModel],
  );
  const source = useActionsSource();
  const { query } = useModels();
  // The log's model says whether there are lines for operations: asked before, the list would show their entries for a moment.
  if (query.isPending) return <ListSkeleton source={source} />;
  return <ListPage source={source} ownFilter={ownFilter} cells={ACTION_CELLS} />;
}

/** The audit log as the generic views see it, for the person who is signed in. */
function useActionsSource(): RecordSource {
  const { t } = useTranslation();
  const { models } = useModels();
  const { permissions, contentTypeId } = useModelPermissions(ACTION_MODEL);
  const users = useModelPermissions(USER_MODEL);
  const userContentTypeId = users.permissions.view ? users.contentTypeId : undefined;
  return useMemo(() => {
    const choices = models.map((source) => ({
      value: String(source.content_type_id),
      label: source.verbose_name,
    }));
    const log = models.find(({ app_label, model_name }) => `${app_label}.${model_name}` === ACTION_MODEL);
    return buildActionsSource({
      t,
      count: log?.count ?? 0,
      hasGroups: log?.fields.some(({ name }) => name === FOLDED_FIELD) ?? false,
      canView: permissions.view,
      contentTypeId,
      userContentTypeId,
      models: choices,
    });
  }, [t, permissions.view, contentTypeId, userContentTypeId, models]);
}

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
const ACTION_CELLS: RowCells = {
  action_type: TypeCell,
  user: UserCell,
  change_message: MessageCell,
  content_type_id: ModelCell,
  object_repr: ObjectCell,
  timestamp: TimeCell,
  ip_address: AddressCell,
};
