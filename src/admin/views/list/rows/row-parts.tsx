import { CopyOutlined, DeleteOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { TFunction } from "i18next";
import { type ChangeEvent, type MouseEvent, type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, type NavigateFunction, useNavigate } from "react-router";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import { type Language, toLanguage } from "#contract/languages.ts";
import type { RecordSource, RowAction } from "#resources/record-source.ts";
import { useToRelated } from "../../../models/use-models.ts";
import { HideButton } from "../../../ordering/hide-button.tsx";
import { DECORATIVE } from "../../../ui/accessibility.ts";
import { CellBody } from "../../kinds/cell.tsx";
import { SourceActions } from "../../record-actions/action-buttons.tsx";
import { OPENED_FROM_LIST } from "../../state/list-context.ts";
import { canCopy, toCopyAddress } from "../../state/record-address.ts";
import type { RowCells } from "../columns/columns.ts";

/** What all rows of a list have in common; one object for as long as nothing of it changes. */
export interface RowOptions {
  source: RecordSource;
  columns: readonly FieldInfo[];
  /** The list's query, which the forms keep. */
  search: string;
  cells: RowCells | undefined;
  rowActions: ((record: ModelRecord) => ReactNode) | undefined;
  /** Address of a related record; undefined where the reader may not see its model. */
  toRelated: (model: number, id: number) => string | undefined;
  onDelete: ((record: ModelRecord) => void) | undefined;
  onDuplicate: ((record: ModelRecord) => void) | undefined;
  /** Does one of the source's own actions to a row. */
  onAct: ((action: RowAction, record: ModelRecord) => void) | undefined;
  /** Rows without ids of their own: there is nothing to open. */
  isFallback: boolean;
  /** Rows end with what can be done to them. */
  hasActions: boolean;
  /** A click on a row chooses it, and opens nothing. */
  isChoosing: boolean;
  navigate: NavigateFunction;
  t: TFunction;
  lang: Language;
}

export interface RowProps {
  record: ModelRecord;
  options: RowOptions;
  /** Undefined: rows can't be selected. */
  isChosen: boolean | undefined;
  onChoose: (id: number, isChosen: boolean, isRange: boolean) => void;
}

/** A click on the row itself: opens its record, or chooses it. */
export function openRow({ record, options, isChosen, onChoose }: RowProps, event: MouseEvent): void {
  const { source, search, navigate } = options;
  // A double click opens once: a second entry of the history would keep the form open when it is closed.
  if (event.detail > 1 && !options.isChoosing) return;
  // Text that was just marked must not open a form.
  if (window.getSelection()?.toString()) return;
  if (options.isFallback) return;
  if (options.isChoosing) onChoose(record.id, !isChosen, event.shiftKey);
  else void navigate({ pathname: source.paths.edit(record.id), search }, { state: OPENED_FROM_LIST });
}

export function RowBox({ record, options, isChosen, onChoose }: RowProps & { isChosen: boolean }) {
  const onChange = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isRange = nativeEvent instanceof window.MouseEvent && nativeEvent.shiftKey;
    onChoose(record.id, target.checked, isRange);
  };
  return (
    <label>
      <input
        type="checkbox"
        aria-label={options.t("list.selectRow", { name: record.repr })}
        checked={isChosen}
        onChange={onChange}
      />
    </label>
  );
}

interface FieldBodyProps {
  record: ModelRecord;
  field: FieldInfo;
  options: RowOptions;
  isLinked?: boolean;
}

/** One value, by the screen's own cell where it has one. */
export function FieldBody({ record, field, options, isLinked = false }: FieldBodyProps) {
  const { cells, t, lang, toRelated } = options;
  const OwnCell = cells?.[field.name];
  const value = record[field.name];
  if (OwnCell) return <OwnCell record={record} value={value} isLinked={isLinked} />;
  return <CellBody field={field} value={value} isLinked={isLinked} toRelated={toRelated} t={t} lang={lang} />;
}

export function isHiddenRow(record: ModelRecord, { source }: RowOptions): boolean {
  return source.hidden_field !== null && record[source.hidden_field] === true;
}

/** The value that names the row, as the link to its record. */
export function RowLink({ record, field, options }: FieldBodyProps) {
  const { source, search, t, isFallback } = options;
  if (isFallback) return <FieldBody record={record} field={field} options={options} />;
  return (
    <>
      {/* For keyboards, screen readers and new tabs; a click anywhere on the row does the same. */}
      <Link
        to={{ pathname: source.paths.edit(record.id), search }}
        state={OPENED_FROM_LIST}
        onClick={(event) => {
          event.stopPropagation();
          // The second click of a double click: the first one opened it, or took away what stood here.
          if (event.detail > 1) event.preventDefault();
        }}
      >
        <FieldBody record={record} field={field} options={options} isLinked />
      </Link>
      {isHiddenRow(record, options) && <span className="hidden-tag">{t("list.hidden")}</span>}
    </>
  );
}

/** What can be done with one record. */
export function RowActions({ record, options }: Pick<RowProps, "record" | "options">) {
  const { source, rowActions, onAct, onDelete, onDuplicate, t } = options;
  if (rowActions) return rowActions(record);
  if (source.rowActions) {
    return <SourceActions actions={source.rowActions} record={record} onAct={onAct} t={t} />;
  }
  return (
    <>
      {source.hidden_field && <HideButton source={source} record={record} />}
      {onDuplicate && (
        <Button
          type="text"
          icon={<CopyOutlined {...DECORATIVE} />}
          title={t("form.duplicate")}
          aria-label={t("list.duplicateRow", { name: record.repr })}
          onClick={() => onDuplicate(record)}
        />
      )}
      {onDelete && (
        <Button
          danger
          type="text"
          icon={<DeleteOutlined {...DECORATIVE} />}
          aria-label={t("list.deleteRow", { name: record.repr })}
          onClick={() => onDelete(record)}
        />
      )}
    </>
  );
}

interface RowOptionsDeps {
  source: RecordSource;
  columns: readonly FieldInfo[];
  search: string;
  cells: RowCells | undefined;
  rowActions: ((record: ModelRecord) => ReactNode) | undefined;
  /** Rows are there to be selected: nothing is done to one by itself. */
  isReadOnly: boolean;
  isFallback: boolean;
  onAct: RowOptions["onAct"];
  /** Stays the same. */
  onDelete: (record: ModelRecord) => void;
}

/** What the rows of a list have in common, the same object until something of it changes. */
export function useRowOptions(deps: RowOptionsDeps): RowOptions {
  const { source, columns, search, cells, rowActions, isReadOnly, isFallback, onAct, onDelete } = deps;
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const toRelated = useToRelated();
  const lang = toLanguage(i18n.language);
  return useMemo(() => {
    const { permissions } = source;
    const isUsed = !isReadOnly && !isFallback;
    const canDelete = permissions.delete && isUsed;
    const canHide = permissions.update && source.hidden_field !== null && isUsed;
    const hasCopies = canCopy(source) && isUsed;
    const hasOwn = (rowActions !== undefined || source.rowActions !== undefined) && isUsed;
    const duplicate = ({ id }: ModelRecord) =>
      void navigate(toCopyAddress(source, id, search), { state: OPENED_FROM_LIST });
    return {
      source,
      columns,
      search,
      cells,
      rowActions,
      toRelated,
      onDelete: canDelete ? onDelete : undefined,
      onDuplicate: hasCopies ? duplicate : undefined,
      onAct,
      isChoosing: isReadOnly,
      isFallback,
      hasActions: hasOwn || canDelete || canHide || hasCopies,
      navigate,
      t,
      lang,
    };
  }, [
    source,
    columns,
    search,
    cells,
    rowActions,
    toRelated,
    isReadOnly,
    isFallback,
    onAct,
    onDelete,
    navigate,
    t,
    lang,
  ]);
}
