import { Button, Table, type TableProps } from "antd";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorState } from "../../parts/error-state.tsx";
import { isRefusal } from "../../query-client.ts";
import { DeleteRow } from "./delete-row.tsx";
import { buildColumns, type RowCells } from "./list-columns.tsx";
import { buildListViewParams, type ListView } from "./list-view.ts";
import { OPENED_FROM_LIST } from "./opened-from-list.ts";
import { Pager } from "./pager.tsx";
import { RowsSkeleton } from "./rows-skeleton.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";
import type { ChangeView } from "./use-list-view.ts";
import { useLiveRows } from "./use-live-rows.ts";
import { useRows } from "./use-rows.ts";

interface RowsTableProps {
  model: RecordSource;
  view: ListView;
  changeView: ChangeView;
  onCreate: () => void;
  cells?: RowCells | undefined;
  rowActions?: ((record: ModelRecord) => ReactNode) | undefined;
}

type TableChange = NonNullable<TableProps<ModelRecord>["onChange"]>;

function NoRows({ model, view, changeView, onCreate }: RowsTableProps) {
  const { t } = useTranslation();
  if (view.search !== "" || view.filters.length > 0) {
    return (
      <EmptyState
        title={t("list.none")}
        text={t("list.noneMatch")}
        action={<Button onClick={() => changeView({ search: "", filters: [] })}>{t("list.clear")}</Button>}
      />
    );
  }
  if (!model.permissions.create) return <EmptyState title={t("list.none")} text={t("list.noneYet")} />;
  return (
    <EmptyState
      title={t("list.none")}
      text={t("list.noneCreate")}
      action={
        <Button type="primary" onClick={onCreate}>
          {t("list.create")}
        </Button>
      }
    />
  );
}

/** Rows with sorting by column header and pages; loading, error and empty have their own drawing. */
export function RowsTable(props: RowsTableProps) {
  const { model, view, changeView, cells, rowActions } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [deleted, setDeleted] = useState<ModelRecord>();
  const { query, rows, total, isEstimate } = useRows(model, view, changeView);
  const table = useKeptFocus(rows);
  // A right that was lost while the rows were on the screen: they may not be read any more, nor live on.
  const isRefused = query.isError && isRefusal(query.error);
  useLiveRows(model, isRefused);

  if (query.isPending) return <RowsSkeleton />;
  // Rows that could not be fetched again for now are still there.
  if (query.isError && (isRefused || !query.data)) {
    return (
      <ErrorState title={t("errors.loadObjects")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (rows.length === 0) return <NoRows {...props} />;

  const search = buildListViewParams(view).toString();
  const toForm = (record: ModelRecord) => ({
    to: { pathname: model.paths.edit(record.id), search },
    state: OPENED_FROM_LIST,
  });
  const onChange: TableChange = (_pagination, _filters, sorter) => {
    const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter;
    const sorts = order
      ? [{ field: String(columnKey), direction: order === "ascend" ? "asc" : "desc" } as const]
      : [];
    changeView({ sorts });
  };
  return (
    <div ref={table}>
      <Table<ModelRecord>
        rowKey="id"
        size="middle"
        className="rows"
        aria-busy={query.isFetching}
        columns={buildColumns({
          model,
          sorts: view.sorts,
          t,
          toForm,
          onDelete: setDeleted,
          cells,
          rowActions,
        })}
        dataSource={rows}
        pagination={false}
        scroll={{ x: true }}
        sortDirections={["ascend", "descend", "ascend"]}
        onChange={onChange}
        onRow={(record) => ({
          onClick() {
            // Text that was just marked must not open a form.
            if (window.getSelection()?.toString()) return;
            const { to, state } = toForm(record);
            void navigate(to, { state });
          },
        })}
      />
      {deleted && <DeleteRow model={model} record={deleted} onClose={() => setDeleted(undefined)} />}
      <Pager view={view} total={total} isEstimate={isEstimate} onChange={changeView} />
    </div>
  );
}
