import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { toLanguage } from "#contract/languages.ts";
import type { FieldInfo, ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useToRelated } from "../../models/use-to-related.ts";
import { OPENED_FROM_LIST } from "../state/list-context.ts";
import { canCopy, toCopyAddress } from "../state/record-address.ts";
import type { RowCells } from "./columns/columns.ts";
import type { RowOptions } from "./rows/row-parts.tsx";

interface RowOptionsParts {
  model: RecordSource;
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
export function useRowOptions(parts: RowOptionsParts): RowOptions {
  const { model, columns, search, cells, rowActions, isReadOnly, isFallback, onAct, onDelete } = parts;
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const toRelated = useToRelated();
  const lang = toLanguage(i18n.language);
  return useMemo(() => {
    const { permissions } = model;
    const isUsed = !isReadOnly && !isFallback;
    const canDelete = permissions.delete && isUsed;
    const canHide = permissions.update && model.hidden_field !== null && isUsed;
    const hasCopies = canCopy(model) && isUsed;
    const hasOwn = (rowActions !== undefined || model.rowActions !== undefined) && isUsed;
    const duplicate = ({ id }: ModelRecord) =>
      void navigate(toCopyAddress(model, id, search), { state: OPENED_FROM_LIST });
    return {
      model,
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
    model,
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
