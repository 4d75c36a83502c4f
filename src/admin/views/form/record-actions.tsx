import { Button } from "antd";
import type { ParseKeys } from "i18next";
import { useEffect, useRef } from "react";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource, RowAction } from "#resources/record-source.ts";
import { isUnderModal } from "../../shortcuts/is-held-back.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { ActionIcon } from "../record-actions/action-buttons.tsx";
import { ActionDialogs } from "../record-actions/action-dialogs.tsx";
import { useRecordActions } from "../record-actions/use-record-actions.ts";
import { NOTHING } from "../state/selection.ts";
import { NEXT_RECORD } from "./record-steps.tsx";

/** Nothing is selected here; the list beneath has its own. */
const NO_SELECTION = { selection: NOTHING, set: () => {}, choose: () => {} };

interface ActionButtonProps {
  action: RowAction;
  isLoading: boolean;
  onAct: () => void;
}

function ActionButton({ action, isLoading, onAct }: ActionButtonProps) {
  const { icon, label, isDanger, shortcut } = action;
  const act = () => {
    if (!isUnderModal()) onAct();
  };
  // Resources are data: their keys are checked by the tests of the locale files.
  const labelKey = (shortcut?.labelKey ?? "actions.save") as ParseKeys;
  useShortcut(shortcut?.keys ?? "", labelKey, act, shortcut !== undefined, true);
  return (
    <Button
      icon={<ActionIcon name={icon} />}
      danger={isDanger === true}
      loading={isLoading}
      onClick={onAct}
      aria-keyshortcuts={shortcut?.keys}
    >
      {label}
    </Button>
  );
}

interface RecordActionsProps {
  model: RecordSource;
  record: ModelRecord;
  /** A record that is gone is not shown any longer. */
  onClose: () => void;
}

/** What a source lets one do to its rows, of the one that is open. What was done takes its button away: the next row is in reach then. */
export function RecordActions({ model, record, onClose }: RecordActionsProps) {
  const bar = useRef<HTMLDivElement>(null);
  const actions = useRecordActions(model, [record], NO_SELECTION, (action) => {
    if ("isEnd" in action && action.isEnd) onClose();
  });
  const offered = (model.rowActions ?? []).filter(({ isFor }) => isFor?.(record) ?? true);
  const names = offered.map(({ key }) => key).join();
  const before = useRef(names);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (before.current !== names && isLost)
      bar.current?.closest(".ant-drawer")?.querySelector<HTMLElement>(`[${NEXT_RECORD}]`)?.focus();
    before.current = names;
  }, [names]);
  return (
    <div ref={bar} className="record-actions">
      {offered.map((action) => (
        <ActionButton
          key={action.key}
          action={action}
          isLoading={actions.isUnderWay(action.toPath(record.id))}
          onAct={() => actions.runRow(action, record)}
        />
      ))}
      <ActionDialogs actions={actions} />
    </div>
  );
}
