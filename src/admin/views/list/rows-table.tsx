import { type ReactNode, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { toLanguage } from "#contract/languages.ts";
import type { FieldInfo, ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useToRelated } from "../../models/use-to-related.ts";
import { DeleteRow } from "./delete-row.tsx";
import type { RowCells } from "./list-columns.tsx";
import { buildListViewParams, type ListView } from "./list-view.ts";
import { Row, type RowOptions } from "./row.tsx";
import { isSelected, setSelected, toPageState } from "./selection.ts";
import { toCurrentSorts } from "./sort-select.tsx";
import { TableHead } from "./table-head.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";
import type { ChangeView } from "./use-list-view.ts";
import { useRowKeys } from "./use-row-keys.ts";
import type { SelectionState } from "./use-selection.ts";

export interface RowsTableProps {
  model: RecordSource;
  columns: readonly FieldInfo[];
  rows: readonly ModelRecord[];
  isFetching: boolean;
  view: ListView;
  changeView: ChangeView;
  /** Undefined: rows can't be selected. */
  selection?: SelectionState | undefined;
  /** Of some columns, in place of the generic cell, by field. */
  cells?: RowCells | undefined;
  /** Of a row, in place of the generic delete button. */
  rowActions?: ((record: ModelRecord) => ReactNode) | undefined;
  /** Rows are there to be selected: nothing is done to one by itself. */
  isReadOnly?: boolean;
}

/** Rows with sorting by column header, and with boxes to select them where that is possible. */
export function RowsTable(props: RowsTableProps) {
  const { model, columns, rows, view, changeView, selection, cells, rowActions, isReadOnly = false } = props;
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const toRelated = useToRelated();
  const [deleted, setDeleted] = useState<ModelRecord>();
  const frame = useKeptFocus(rows);
  useRowKeys(frame, selection !== undefined);

  const search = buildListViewParams(view, model.pageSize).toString();
  const lang = toLanguage(i18n.language);
  const { permissions } = model;
  const canDelete = permissions.delete && !isReadOnly;
  const canHide = permissions.update && model.hidden_field !== null && !isReadOnly;
  const hasActions = rowActions !== undefined || canDelete || canHide;
  const options = useMemo<RowOptions>(
    () => ({
      model,
      columns,
      search,
      cells,
      rowActions,
      toRelated,
      onDelete: canDelete ? setDeleted : undefined,
      isChoosing: isReadOnly,
      hasActions,
      navigate,
      t,
      lang,
    }),
    [
      model,
      columns,
      search,
      cells,
      rowActions,
      toRelated,
      canDelete,
      hasActions,
      isReadOnly,
      navigate,
      t,
      lang,
    ],
  );
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const choose = selection?.choose;
  const onChoose = useCallback<Parameters<typeof Row>[0]["onChoose"]>(
    (...row) => choose?.(ids, ...row),
    [choose, ids],
  );
  const [sort] = toCurrentSorts(model, view.sorts);
  return (
    <div ref={frame} className="records-frame">
      <table className="records" aria-label={model.verbose_name_plural} aria-busy={props.isFetching}>
        <TableHead
          columns={columns}
          sort={sort}
          onSort={(next) => changeView({ sorts: [next] })}
          hasActions={hasActions}
          page={
            selection && {
              state: toPageState(selection.selection, ids),
              onChange: (isChosen) => selection.set(setSelected(selection.selection, ids, isChosen)),
            }
          }
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
      {deleted && <DeleteRow model={model} record={deleted} onClose={() => setDeleted(undefined)} />}
    </div>
  );
}
