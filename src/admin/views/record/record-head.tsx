import { DownOutlined, UpOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { ParseKeys } from "i18next";
import { useContext, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import type { RecordSource, RowAction } from "#resources/record-source.ts";
import { isUnderModal } from "../../shortcuts/shortcuts.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { ActionIcon } from "../record-actions/action-buttons.tsx";
import { ActionDialogs } from "../record-actions/action-dialogs.tsx";
import { useRecordActions } from "../record-actions/use-record-actions.ts";
import { ShownRowsContext } from "../state/list-context.ts";
import { NOTHING } from "../state/selection.ts";

/** The row that was read last, or, where that has left the list, the one that is nearest to where it stood. */
function focusRow(order: readonly number[], id: number): void {
  const at = order.indexOf(id);
  const nearest = [id, ...order.slice(at + 1), ...order.slice(0, Math.max(at, 0)).reverse()];
  const toLink = (row: number) => document.querySelector<HTMLElement>(`[data-row-key="${row}"] a`);
  const shown = nearest.find((row) => toLink(row) !== null);
  if (shown !== undefined) toLink(shown)?.focus({ preventScroll: true });
}

/**
 * The rows in the order in which the person began to go through them: what was done with one moves it to another place of the list
 * or out of it, and that must not decide which comes next. Rows that are new come last.
 */
function useOrder(ids: readonly number[], id: number | undefined): readonly number[] {
  const [order, setOrder] = useState(ids);
  const isBegun = id !== undefined && order.includes(id);
  const added = ids.filter((each) => !order.includes(each));
  const next = isBegun ? (added.length === 0 ? order : [...order, ...added]) : ids;
  if (next !== order) setOrder(next);
  return next;
}

interface Neighbours {
  hasNext: boolean;
  hasPrevious: boolean;
  step: (by: 1 | -1) => void;
}

/**
 * On to the next or the previous row of the list beneath, in the same drawer, also by `j` and `k`. The closed drawer leaves the
 * focus at the row that was read last. Undefined for sources that are not stepped through.
 */
export function useNeighbours(source: RecordSource, id: number | undefined): Neighbours | undefined {
  const order = useOrder(useContext(ShownRowsContext), id);
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const isStepped = source.isStepped === true && id !== undefined;
  const at = id === undefined ? -1 : order.indexOf(id);
  const last = useRef({ order, id });
  useEffect(() => {
    last.current = { order, id };
  }, [order, id]);

  const toNext = (by: 1 | -1) => (at < 0 && by < 0 ? undefined : order[at + by]);
  function step(by: 1 | -1): void {
    const next = toNext(by);
    if (next === undefined || isUnderModal()) return;
    void navigate({ pathname: source.paths.edit(next), search }, { replace: true, state });
  }
  useShortcut("j", "list.shortcuts.nextRecord", () => step(1), isStepped, true);
  useShortcut("k", "list.shortcuts.previousRecord", () => step(-1), isStepped, true);

  useEffect(() => {
    if (!isStepped) return;
    return () => {
      const { order: rows, id: read } = last.current;
      if (read !== undefined) focusRow(rows, read);
    };
  }, [isStepped]);
  if (!isStepped) return undefined;
  return { hasNext: toNext(1) !== undefined, hasPrevious: toNext(-1) !== undefined, step };
}

/** Marks the button that leads on. */
const NEXT_RECORD = "data-next-record";

/** On to the next and back to the previous row, as `j` and `k` do. At an end the button stays, and with it the focus. */
export function RecordSteps({ neighbours: { hasNext, hasPrevious, step } }: { neighbours: Neighbours }) {
  const { t } = useTranslation();
  return (
    <span className="record-steps">
      <Button
        type="text"
        icon={<UpOutlined {...DECORATIVE} />}
        aria-label={t("list.shortcuts.previousRecord")}
        aria-keyshortcuts="k"
        title={`${t("list.shortcuts.previousRecord")} (k)`}
        aria-disabled={!hasPrevious}
        onClick={() => step(-1)}
      />
      <Button
        type="text"
        icon={<DownOutlined {...DECORATIVE} />}
        aria-label={t("list.shortcuts.nextRecord")}
        aria-keyshortcuts="j"
        title={`${t("list.shortcuts.nextRecord")} (j)`}
        aria-disabled={!hasNext}
        onClick={() => step(1)}
        {...{ [NEXT_RECORD]: "" }}
      />
    </span>
  );
}

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
  source: RecordSource;
  record: ModelRecord;
  /** A record that is gone is not shown any longer. */
  onClose: () => void;
}

/** What a source lets one do to its rows, of the one that is open. What was done takes its button away: the next row is in reach then. */
export function RecordActions({ source, record, onClose }: RecordActionsProps) {
  const bar = useRef<HTMLDivElement>(null);
  const actions = useRecordActions(source, [record], NO_SELECTION, (action) => {
    if ("isEnd" in action && action.isEnd) onClose();
  });
  const offered = (source.rowActions ?? []).filter(({ isFor }) => isFor?.(record) ?? true);
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
