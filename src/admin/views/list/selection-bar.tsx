import { CloseOutlined, DeleteOutlined, DownloadOutlined, EditOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { RecordSource } from "#resources/record-source.ts";
import { ExportDialog } from "../../exports/export-options.tsx";
import { ExportProgress, useFocusBack } from "../../exports/export-progress.tsx";
import { useShownCount } from "../../models/counts.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { BatchButtons } from "../record-actions/action-buttons.tsx";
import type { RecordActions } from "../record-actions/use-record-actions.ts";
import type { ListView } from "../state/list-view.ts";
import {
  type BulkHandOver,
  type BulkOperation,
  countSelected,
  EVERYTHING,
  NOTHING,
  type Selection,
  type SelectionState,
} from "../state/selection.ts";
import { useListExport } from "./list-export.ts";

type BulkWrite = Exclude<BulkOperation, "export">;

const ICONS: Readonly<Record<BulkWrite, ReactNode>> = {
  update: <EditOutlined {...DECORATIVE} />,
  delete: <DeleteOutlined {...DECORATIVE} />,
};

interface SelectionBarProps {
  source: RecordSource;
  view: ListView;
  state: SelectionState;
  total: number;
  isEstimate: boolean;
  /** The list's query, without a page. */
  search: string;
  actions: RecordActions;
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

interface SelectedExportProps extends Pick<SelectionBarProps, "source" | "view"> {
  selection: Selection;
  /** `20 selected`. */
  text: string;
  count: number;
  /** What else can be done: not while a file is on its way, which would end with the bar. */
  children: ReactNode;
}

/** The selected rows as a file, by the same dialog as the whole list. */
function SelectedExport({ source, view, selection, text, count, children }: SelectedExportProps) {
  const { t } = useTranslation();
  const { canExport, shownColumns, state, cancel, run } = useListExport(source, view);
  const button = useFocusBack(state.kind === "running");
  const [isChoosing, setChoosing] = useState(false);
  if (state.kind === "running") return <ExportProgress state={state} onCancel={cancel} />;
  return (
    <>
      {canExport && (
        <Button
          ref={button}
          icon={<DownloadOutlined {...DECORATIVE} />}
          disabled={count === 0}
          onClick={() => setChoosing(true)}
        >
          {t("list.bulk.export")}
        </Button>
      )}
      {children}
      {isChoosing && (
        <ExportDialog
          name={`${source.verbose_name_plural}, ${text}`}
          shownColumns={shownColumns}
          onExport={(choice) => {
            setChoosing(false);
            void run(choice, count, selection);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

/** What can be done with the selected rows. It takes the place of the line above the table, so that no row moves. */
export function SelectionBar({ source, view, state, total, isEstimate, search, actions }: SelectionBarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const shownCount = useShownCount();
  const selectedText = useSelectedText();
  const { selection, set } = state;
  const { permissions, paths } = source;
  const count = countSelected(selection, total);
  const text = selectedText(selection, total, isEstimate);
  const writes = (["update", "delete"] as const).filter(
    (operation) => paths.bulk !== null && permissions[operation],
  );
  const goOn = (operation: BulkWrite) =>
    void navigate(
      { pathname: paths.bulk ?? paths.list, search },
      { state: { selection, operation } satisfies BulkHandOver },
    );
  return (
    <fieldset className="selection-bar">
      <legend className="visually-hidden">{t("list.selection")}</legend>
      <strong>{text}</strong>
      {/* Without a bulk page nothing takes a query in the place of ids. */}
      {count < total && paths.bulk !== null && (
        <Button type="link" size="small" onClick={() => set(EVERYTHING)}>
          {t("list.selectAll", { count: total, shown: shownCount(total, isEstimate) })}
        </Button>
      )}
      <span className="selection-actions">
        <BatchButtons source={source} actions={actions} />
        {writes.map((operation) => (
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
        <SelectedExport source={source} view={view} selection={selection} text={text} count={count}>
          <Button type="text" icon={<CloseOutlined {...DECORATIVE} />} onClick={() => set(NOTHING)}>
            {t("list.clearSelection")}
          </Button>
        </SelectedExport>
      </span>
    </fieldset>
  );
}
