import { useInvalidate, useNotification } from "@refinedev/core";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BatchAnswer } from "#contract/content/bulk.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import type { BatchAction, RecordSource, RowAction } from "#resources/record-source.ts";
import { toErrorText } from "../../ui/errors.tsx";
import { type Selection, type SelectionState, setSelected } from "../state/selection.ts";
import { useFollowUps, useSend } from "./follow-ups.tsx";

/** One request, and what it is about. */
export interface ActionTask {
  action: BatchAction | RowAction;
  path: string;
  body?: object;
  ids: readonly number[];
  /** What people call the rows that were on the page, by id. */
  names: ReadonlyMap<number, string>;
}

/** A request of several rows that left some as they were. */
export interface ActionResults {
  /** What a failure is called. */
  failed: string;
  names: ActionTask["names"];
  /** The rows were chosen in the list, and those that failed still are. */
  isSelected?: boolean;
  results: NonNullable<BatchAnswer["results"]>;
}

export interface RecordActions {
  /** Waits for a yes; undefined: nothing does. */
  asked: ActionTask | undefined;
  results: ActionResults | undefined;
  isUnderWay: (path: string) => boolean;
  runBatch: (action: BatchAction) => void;
  runRow: (action: RowAction, record: ModelRecord) => void;
  /** `reason`: where the action asks for one. */
  confirm: (reason: string) => void;
  close: () => void;
}

/** The request for chosen rows; undefined where none is. A query is no list of numbers, and can't be chosen here. */
export function toBatchTask(
  action: BatchAction,
  selection: Selection,
  rows: readonly ModelRecord[],
): ActionTask | "too many" | undefined {
  if (selection.kind !== "ids" || selection.ids.length === 0) return undefined;
  const { ids } = selection;
  if (ids.length > action.max) return "too many";
  const names = new Map(rows.map(({ id, repr }) => [id, repr]));
  return { action, path: action.path, body: { [action.idsName]: ids }, ids, names };
}

const listDone = ({ ids }: ActionTask, { results }: BatchAnswer) =>
  results ? results.filter(({ ok }) => ok).map(({ id }) => id) : ids;

/**
 * What a source lets one do to its rows: asks first where that is wanted, sends, says what came of it, offers to undo it, and has
 * the rows read again. What failed stays selected. `onDone`: of an action that was done to a row at least.
 */
export function useRecordActions(
  source: RecordSource,
  rows: readonly ModelRecord[],
  selection: SelectionState,
  onDone?: (action: ActionTask["action"]) => void,
): RecordActions {
  const { t } = useTranslation();
  const { open } = useNotification();
  const invalidate = useInvalidate();
  const send = useSend();
  const [asked, setAsked] = useState<ActionTask>();
  const [results, setResults] = useState<ActionResults>();
  const [underWay, setUnderWay] = useState<readonly string[]>([]);
  const busy = useRef(new Set<string>());
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  });

  // The whole resource: an opened record is among it, and its history.
  const readAgain = () => invalidate({ resource: source.resource, invalidates: ["resourceAll"] });
  const fail = (title: string, description: string) => open?.({ type: "error", message: title, description });
  const sayDone = useFollowUps({
    readAgain,
    onResults: (failed, rows) => setResults({ failed, names: new Map(), results: rows }),
  });

  function notify(task: ActionTask, answer: BatchAnswer): void {
    const done = listDone(task, answer);
    const message = answer.message ?? t("list.batch.done", { count: done.length });
    const { selection: now, set } = latest.current;
    set(setSelected(now, done, false));
    if (done.length > 0) onDone?.(task.action);
    if (done.length > 0) sayDone(message, answer, task.action.toNext);
    if (answer.results?.some(({ ok }) => !ok)) {
      const { action, names } = task;
      setResults({ failed: action.failed, names, isSelected: "idsName" in action, results: answer.results });
    } else if (!answer.success) fail(task.action.failed, answer.message ?? t("errors.operation"));
  }

  async function run(task: ActionTask): Promise<void> {
    if (busy.current.has(task.path)) return;
    busy.current.add(task.path);
    setUnderWay([...busy.current]);
    let isAnswered = false;
    try {
      const answer = await send(task.path, task.body);
      isAnswered = true;
      // Refused as a whole: no row says anything of itself, and all of them stay selected.
      if (!answer.success && !answer.results)
        fail(task.action.failed, answer.message ?? t("errors.operation"));
      else notify(task, answer);
    } catch (error) {
      fail(task.action.failed, toErrorText(error, t));
    }
    busy.current.delete(task.path);
    setUnderWay([...busy.current]);
    // A typed reason outlives a failure, and an answer that comes late closes no other question.
    if (isAnswered || !task.action.reasonLabel)
      setAsked((now) => (now?.path === task.path ? undefined : now));
    // Behind a failure too: it may have come after the rows were written.
    await readAgain();
  }

  function begin(task: ActionTask): void {
    if (task.action.toConfirm || task.action.reasonLabel) setAsked(task);
    else void run(task);
  }

  function runBatch(action: BatchAction): void {
    const task = toBatchTask(action, latest.current.selection, rows);
    if (task === "too many") {
      open?.({ type: "error", message: t("list.batch.tooMany", { count: action.max }) });
    } else if (task) begin(task);
  }

  const runOne = useRef<RecordActions["runRow"]>(undefined);
  useEffect(() => {
    runOne.current = (action, { id, repr }) =>
      begin({
        action,
        path: action.toPath(id),
        ...(action.toBody && { body: action.toBody(id) }),
        ids: [id],
        names: new Map([[id, repr]]),
      });
  });
  // The same function for as long as the list is there: rows are drawn again only when something of them has changed.
  const runRow = useCallback<RecordActions["runRow"]>((...row) => runOne.current?.(...row), []);

  return {
    asked,
    results,
    isUnderWay: (path) => underWay.includes(path),
    runBatch,
    runRow,
    confirm(reason) {
      if (asked) void run(asked.action.reasonLabel ? { ...asked, body: { ...asked.body, reason } } : asked);
    },
    close() {
      setAsked(undefined);
      setResults(undefined);
    },
  };
}
