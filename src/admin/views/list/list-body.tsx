import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useShownCount } from "../../models/counts.ts";
import { toErrorText } from "../../ui/errors.tsx";
import { RowsSkeleton } from "../../ui/states.tsx";
import { ActionDialogs } from "../record-actions/action-dialogs.tsx";
import { type RecordActions, useRecordActions } from "../record-actions/use-record-actions.ts";
import { buildListViewParams, type ListView, toScopeKey } from "../state/list-view.ts";
import { countSelected, type SelectionState, useSelection } from "../state/selection.ts";
import type { ChangeView } from "../state/use-list-view.ts";
import { ColumnChooser } from "./columns/column-chooser.tsx";
import type { Columns, RowCells } from "./columns/columns.ts";
import { SortSelect } from "./columns/sort-select.tsx";
import { LayoutButton, type ListLayout } from "./rows/list-layout.tsx";
import { ListError, NoRows } from "./rows/no-rows.tsx";
import { Pager } from "./rows/pager.tsx";
import { RowsTable, toPageBox } from "./rows/rows-table.tsx";
import { PageBox } from "./rows/table-head.tsx";
import { type ExactCount, type Rows, useExactCount } from "./rows/use-rows.ts";
import { SelectionBar, useSelectedText } from "./selection-bar.tsx";

interface ListStripProps {
  source: RecordSource;
  view: ListView;
  changeView: ChangeView;
  columns: Columns;
  total: number;
  isEstimate: boolean;
  exact: ExactCount;
  layout: ListLayout;
}

/** The line above the rows: how many there are, their order, their columns; on a phone how they are drawn. */
function ListStrip(props: ListStripProps) {
  const { source, view, changeView, columns, total, isEstimate, exact, layout } = props;
  const { t } = useTranslation();
  const shownCount = useShownCount();
  return (
    <>
      <p className="list-total" role="status">
        {t("list.found", { count: total, shown: shownCount(total, isEstimate) })}
      </p>
      {isEstimate && (
        <Button type="link" size="small" loading={exact.isCounting} onClick={exact.count}>
          {t("list.countExactly")}
        </Button>
      )}
      {exact.error !== null && (
        <span className="list-count-error" role="alert">
          {t("list.countFailed", { reason: toErrorText(exact.error, t) })}
        </span>
      )}
      <span className="list-strip-end">
        {layout.isNarrow ? (
          <LayoutButton {...layout} />
        ) : (
          <>
            <SortSelect source={source} sorts={view.sorts} onChange={(sorts) => changeView({ sorts })} />
            <ColumnChooser source={source} columns={columns} />
          </>
        )}
      </span>
    </>
  );
}

interface ListBodyProps {
  source: RecordSource;
  list: Rows;
  view: ListView;
  changeView: ChangeView;
  columns: Columns;
  layout: ListLayout;
  onCreate: (() => void) | undefined;
  cells?: RowCells | undefined;
  rowActions?: ((record: ModelRecord) => ReactNode) | undefined;
}

interface DrawnProps extends ListBodyProps {
  selection: SelectionState;
  actions: RecordActions;
}

/** Loading, error and empty have their own drawing. */
function DrawnRows(props: DrawnProps) {
  const { source, list, view, changeView, columns, layout, onCreate, cells, rowActions } = props;
  const { selection, actions } = props;
  const { t } = useTranslation();
  const { query, rows, isRefused, isFallback } = list;
  const exact = useExactCount(source, view);
  const selectedText = useSelectedText();

  if (list.isPending) return <RowsSkeleton />;
  // Rows that could not be fetched again for now are still there.
  if (query.isError && (isRefused || !query.data)) {
    const onRetry = () => void query.refetch();
    return (
      <ListError source={source} error={query.error} view={view} changeView={changeView} onRetry={onRetry} />
    );
  }
  if (rows.length === 0) {
    return <NoRows source={source} view={view} changeView={changeView} onCreate={onCreate} />;
  }
  const canSelect = !isFallback && (source.paths.bulk !== null || source.batchActions !== undefined);
  const isEstimate = list.isEstimate && exact.total === undefined;
  const total = exact.total ?? list.total;
  const isSelecting = selection.selection.kind === "query" || countSelected(selection.selection, total) > 0;
  const search = buildListViewParams({ ...view, page: 1 }, source).toString();
  const pageBox = canSelect && layout.rows === "cards" ? toPageBox(selection, rows) : undefined;
  return (
    <>
      {isFallback && <p className="filter-note">{t("list.fallback")}</p>}
      <div className="records-box" data-layout={layout.rows}>
        <div className="list-strip" data-selecting={isSelecting || undefined}>
          {pageBox && (
            <span className="choose-cell">
              <PageBox {...pageBox} />
            </span>
          )}
          {isSelecting ? (
            <SelectionBar
              source={source}
              view={view}
              state={selection}
              total={total}
              isEstimate={isEstimate}
              search={search}
              actions={actions}
            />
          ) : (
            <ListStrip {...{ source, view, changeView, columns, total, isEstimate, exact, layout }} />
          )}
        </div>
        <RowsTable
          source={source}
          columns={columns.shown}
          rows={rows}
          isFetching={query.isFetching}
          view={view}
          changeView={changeView}
          layout={layout.rows}
          selection={canSelect ? selection : undefined}
          cells={cells}
          rowActions={rowActions}
          onAct={actions.runRow}
          isFallback={isFallback}
        />
      </div>
      {canSelect && (
        <p className="visually-hidden" role="status">
          {isSelecting ? selectedText(selection.selection, total, isEstimate) : t("list.nothingSelected")}
        </p>
      )}
      <Pager
        view={view}
        total={total}
        isEstimate={isEstimate}
        isHiddenOnOnePage={source.pager === "many-pages"}
        onChange={changeView}
      />
    </>
  );
}

/** The rows of a list with what is done to them. What an action asks and says outlives the rows that it has emptied the list of. */
export function ListBody(props: ListBodyProps) {
  const { source, list, view } = props;
  const selection = useSelection(toScopeKey(view));
  const actions = useRecordActions(source, list.rows, selection);
  return (
    <>
      <DrawnRows {...props} selection={selection} actions={actions} />
      <ActionDialogs actions={actions} />
    </>
  );
}
