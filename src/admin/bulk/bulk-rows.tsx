import { Button } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { useShownCount } from "../models/counts.ts";
import { RowsSkeleton } from "../ui/states.tsx";
import { pickColumns } from "../views/list/columns/columns.ts";
import { SortSelect } from "../views/list/columns/sort-select.tsx";
import { LayoutButton, type ListLayout } from "../views/list/rows/list-layout.tsx";
import { ListError, NoRows } from "../views/list/rows/no-rows.tsx";
import { Pager } from "../views/list/rows/pager.tsx";
import { RowsTable, toPageBox } from "../views/list/rows/rows-table.tsx";
import { PageBox } from "../views/list/rows/table-head.tsx";
import type { Rows } from "../views/list/rows/use-rows.ts";
import { useSelectedText } from "../views/list/selection-bar.tsx";
import type { ListView } from "../views/state/list-view.ts";
import {
  countSelected,
  EVERYTHING,
  NOTHING,
  type Selection,
  type SelectionState,
} from "../views/state/selection.ts";
import type { ChangeView } from "../views/state/use-list-view.ts";

interface BulkInfoProps {
  source: RecordSource;
  selection: Selection;
  list: Pick<Rows, "total" | "isEstimate">;
}

/** The model, how many objects it has, and how many of them are selected. */
export function BulkInfo({ source, selection, list }: BulkInfoProps) {
  const { t } = useTranslation();
  const shownCount = useShownCount();
  const isEstimate = list.isEstimate && selection.kind === "query";
  const facts = [
    [t("bulk.model"), source.verbose_name],
    [t("bulk.totalObjects"), shownCount(source.count, source.count_is_estimate)],
    [t("bulk.selectedCount"), shownCount(countSelected(selection, list.total), isEstimate)],
  ] as const;
  return (
    <section aria-label={t("bulk.info")}>
      <dl className="bulk-info">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface BulkRowsProps {
  source: RecordSource;
  list: Rows;
  view: ListView;
  changeView: ChangeView;
  state: SelectionState;
  layout: ListLayout;
}

/** How many are selected, all of them or none by one press, and the order of the table; on a phone how the rows are drawn. */
function SelectionStrip({ source, list, view, changeView, state, layout }: BulkRowsProps) {
  const { t } = useTranslation();
  const shownCount = useShownCount();
  const selectedText = useSelectedText();
  const { total, isEstimate } = list;
  const count = countSelected(state.selection, total);
  const isAll = state.selection.kind === "query" && state.selection.excluded.length === 0;
  // A table has it in its head.
  const pageBox = layout.rows === "cards" ? toPageBox(state, list.rows) : undefined;
  return (
    <div className="list-strip">
      {pageBox && (
        <span className="choose-cell">
          <PageBox {...pageBox} />
        </span>
      )}
      <p className="list-total" role="status">
        {count === 0 ? t("bulk.nothing") : selectedText(state.selection, total, isEstimate)}
      </p>
      <span className="bulk-choices">
        <Button disabled={isAll} onClick={() => state.set(EVERYTHING)}>
          {t("bulk.selectAll", { shown: shownCount(total, isEstimate) })}
        </Button>
        <Button disabled={count === 0} onClick={() => state.set(NOTHING)}>
          {t("bulk.deselectAll")}
        </Button>
      </span>
      <span className="list-strip-end">
        {layout.isNarrow ? (
          <LayoutButton {...layout} />
        ) : (
          <SortSelect source={source} sorts={view.sorts} onChange={(sorts) => changeView({ sorts })} />
        )}
      </span>
    </div>
  );
}

/** The objects to choose from, page by page; loading, error and empty have their own drawing. */
export function BulkRows(props: BulkRowsProps) {
  const { source, list, view, changeView, state, layout } = props;
  const { query, rows, isRefused } = list;
  const columns = useMemo(() => pickColumns(source, view.columns), [source, view.columns]);
  if (list.isPending) return <RowsSkeleton />;
  if (query.isError && (isRefused || !query.data)) {
    const onRetry = () => void query.refetch();
    return (
      <ListError source={source} error={query.error} view={view} changeView={changeView} onRetry={onRetry} />
    );
  }
  if (rows.length === 0) {
    return <NoRows source={source} view={view} changeView={changeView} onCreate={undefined} />;
  }
  return (
    <>
      <div className="records-box" data-layout={layout.rows}>
        <SelectionStrip {...props} />
        <RowsTable
          source={source}
          columns={columns}
          rows={rows}
          isFetching={query.isFetching}
          view={view}
          changeView={changeView}
          layout={layout.rows}
          selection={state}
          isReadOnly
        />
      </div>
      <Pager
        view={view}
        total={list.total}
        isEstimate={list.isEstimate}
        isHiddenOnOnePage={false}
        onChange={changeView}
      />
    </>
  );
}
