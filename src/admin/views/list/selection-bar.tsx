import { CloseOutlined, DeleteOutlined, DownloadOutlined, EditOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import {
  type BulkHandOver,
  type BulkOperation,
  countSelected,
  EVERYTHING,
  NOTHING,
  type Selection,
} from "./selection.ts";
import type { SelectionState } from "./use-selection.ts";
import { useShownCount } from "./use-shown-count.ts";

const ICONS: Readonly<Record<BulkOperation, ReactNode>> = {
  update: <EditOutlined {...DECORATIVE} />,
  delete: <DeleteOutlined {...DECORATIVE} />,
  export: <DownloadOutlined {...DECORATIVE} />,
};

interface SelectionBarProps {
  model: RecordSource;
  state: SelectionState;
  total: number;
  isEstimate: boolean;
  /** The list's query, without a page. */
  search: string;
}

/** `20 selected`, `~999,998 selected` where the total is an estimate. */
export function useSelectedText(): (selection: Selection, total: number, isEstimate: boolean) => string {
  const { t } = useTranslation();
  const shownCount = useShownCount();
  return (selection, total, isEstimate) => {
    const count = countSelected(selection, total);
    return t("list.selected", { count, shown: shownCount(count, isEstimate && selection.kind === "query") });
  };
}

/** What can be done with the selected rows. It takes the place of the line above the table, so that no row moves. */
export function SelectionBar({ model, state, total, isEstimate, search }: SelectionBarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const shownCount = useShownCount();
  const selectedText = useSelectedText();
  const { selection, set } = state;
  const { permissions, paths } = model;
  const count = countSelected(selection, total);
  const operations: BulkOperation[] = [
    ...(permissions.update ? (["update"] as const) : []),
    ...(permissions.delete ? (["delete"] as const) : []),
    "export",
  ];
  const goOn = (operation: BulkOperation) =>
    void navigate(
      { pathname: paths.bulk ?? paths.list, search },
      { state: { selection, operation } satisfies BulkHandOver },
    );
  return (
    <fieldset className="selection-bar">
      <legend className="visually-hidden">{t("list.selection")}</legend>
      <strong>{selectedText(selection, total, isEstimate)}</strong>
      {count < total && (
        <Button type="link" size="small" onClick={() => set(EVERYTHING)}>
          {t("list.selectAll", { count: total, shown: shownCount(total, isEstimate) })}
        </Button>
      )}
      <span className="selection-actions">
        {operations.map((operation) => (
          <Button
            key={operation}
            icon={ICONS[operation]}
            danger={operation === "delete"}
            disabled={count === 0}
            onClick={() => goOn(operation)}
          >
            {t(`list.bulk.${operation}`)}
          </Button>
        ))}
        <Button type="text" icon={<CloseOutlined {...DECORATIVE} />} onClick={() => set(NOTHING)}>
          {t("list.clearSelection")}
        </Button>
      </span>
    </fieldset>
  );
}
