import { type ReactNode, type RefObject, useCallback, useMemo, useState } from "react";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DeleteRow } from "../../record-actions/delete-row.tsx";
import { buildListViewParams, type ListView } from "../../state/list-view.ts";
import { isSelected, type SelectionState, setSelected, toPageState } from "../../state/selection.ts";
import type { ChangeView } from "../../state/use-list-view.ts";
import type { RowCells } from "../columns/columns.ts";
import { sortAlsoBy, sortBy, toCurrentSorts } from "../columns/sort-select.tsx";
import type { RowsLayout } from "./list-layout.tsx";
import { Card, Row } from "./row.tsx";
import { useKeptFocus, useRowKeys } from "./row-focus.ts";
import { type RowOptions, type RowProps, useRowOptions } from "./row-parts.tsx";
import { type PageBoxProps, TableHead } from "./table-head.tsx";

export interface RowsTableProps {
  source: RecordSource;
  columns: readonly FieldInfo[];
  rows: readonly ModelRecord[];
  isFetching: boolean;
  view: ListView;
  changeView: ChangeView;
  layout?: RowsLayout;
  /** Undefined: rows can't be selected. */
  selection?: SelectionState | undefined;
  /** Of some columns, in place of the generic cell, by field. */
  cells?: RowCells | undefined;
  /** Of a row, in place of the generic delete button. */
  rowActions?: ((record: ModelRecord) => ReactNode) | undefined;
  /** Rows are there to be selected: nothing is done to one by itself. */
  isReadOnly?: boolean;
  /** Of the source's own actions of a row; stays the same. */
  onAct?: RowOptions["onAct"];
  /** Rows without ids of their own: they are read and nothing else. */
  isFallback?: boolean;
}

/** What the box above a page's rows shows and does; undefined where rows can't be selected. */
export function toPageBox(
  selection: SelectionState | undefined,
  rows: readonly ModelRecord[],
): PageBoxProps | undefined {
  if (!selection) return undefined;
  const ids = rows.map(({ id }) => id);
  return {
    state: toPageState(selection.selection, ids),
    onChange: (isChosen) => selection.set(setSelected(selection.selection, ids, isChosen)),
  };
}

interface DrawnProps extends RowsTableProps {
  options: RowOptions;
  onChoose: RowProps["onChoose"];
}

function Table({ options, onChoose, ...props }: DrawnProps) {
  const { source, columns, rows, view, changeView, selection } = props;
  const sorts = toCurrentSorts(source, view.sorts);
  return (
    <table className="records" aria-label={source.verbose_name_plural} aria-busy={props.isFetching}>
      <TableHead
        columns={columns}
        sorts={sorts}
        onSort={(field, isAlso) => changeView({ sorts: (isAlso ? sortAlsoBy : sortBy)(sorts, field) })}
        hasActions={options.hasActions}
        page={toPageBox(selection, rows)}
      />
      <tbody>
        {rows.map((record) => (
          <Row
            key={record.id}
            record={record}
            options={options}
            isChosen={selection && isSelected(selection.selection, record.id)}
            onChoose={onChoose}
          />
        ))}
      </tbody>
    </table>
  );
}

function Cards({ source, rows, selection, isFetching, options, onChoose }: DrawnProps) {
  return (
    <ul className="cards" aria-label={source.verbose_name_plural} aria-busy={isFetching}>
      {rows.map((record) => (
        <Card
          key={record.id}
          record={record}
          options={options}
          isChosen={selection && isSelected(selection.selection, record.id)}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
}

/** Rows with sorting by column header, and with boxes to select them where that is possible; on a phone as cards. */
export function RowsTable(props: RowsTableProps) {
  const { source, columns, rows, view, selection, cells, rowActions, layout } = props;
  const { isReadOnly = false, isFallback = false, onAct } = props;
  const [deleted, setDeleted] = useState<ModelRecord>();
  // What `useKeptFocus` and the keys look for is the same in both drawings.
  const frame: RefObject<HTMLDivElement | null> = useKeptFocus(rows);
  useRowKeys(frame, selection !== undefined);
  const search = buildListViewParams(view, source).toString();
  const options = useRowOptions({
    source,
    columns,
    search,
    cells,
    rowActions,
    isReadOnly,
    isFallback,
    onAct,
    onDelete: setDeleted,
  });
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const choose = selection?.choose;
  const onChoose = useCallback<RowProps["onChoose"]>((...row) => choose?.(ids, ...row), [choose, ids]);
  const Drawn = layout === "cards" ? Cards : Table;
  return (
    <div ref={frame} className="records-frame">
      <Drawn {...props} options={options} onChoose={onChoose} />
      {deleted && <DeleteRow source={source} record={deleted} onClose={() => setDeleted(undefined)} />}
    </div>
  );
}
