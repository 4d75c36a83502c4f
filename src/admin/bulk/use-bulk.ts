import { useCustomMutation } from "@refinedev/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type BulkAnswer, type BulkPreview, bulkAnswer, bulkPreview } from "#contract/content/bulk.ts";
import type { FieldError } from "#contract/errors.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import { ADMIN_API } from "#providers/refine/endpoints.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toErrorText } from "../ui/errors.tsx";
import { type RowScope, toWhere } from "../views/state/list-view.ts";
import type { Selection } from "../views/state/selection.ts";

/** Operations that write; an export only reads. */
export type WriteOperation = "update" | "delete";

/** One thing that is to happen to the selected rows. */
export interface BulkTask {
  operation: WriteOperation;
  selection: Selection;
  /** What a selection by query is of. */
  view: RowScope;
  /** Of an update: the new values as they travel, by field. */
  data: Readonly<Record<string, unknown>>;
}

function toRows({ selection, view }: BulkTask) {
  if (selection.kind === "ids") return { object_ids: selection.ids };
  const { search, filters, groups } = view;
  const where = toWhere(groups);
  const query = { search, filters, ...(where !== undefined && { where }) };
  return { query, exclude_ids: selection.excluded };
}

/** Body of POST …/bulk/preview/. */
function toPreviewBody(task: BulkTask): Record<string, unknown> {
  const { operation, data } = task;
  return { operation, ...toRows(task), ...(operation === "update" && { data }) };
}

/**
 * Body of POST …/bulk/, for what the preview has shown: rows that somebody changed since are left alone, and another number of
 * rows is refused. A number that the preview only estimated can't be expected.
 */
function toRunBody(task: BulkTask, preview: BulkPreview): Record<string, unknown> {
  return {
    ...toPreviewBody(task),
    snapshot: preview.snapshot,
    ...(!preview.count_is_estimate && { expected_count: preview.count }),
  };
}

/** From the press of the button to the answer. Nothing is written before `running`. */
export type BulkStep =
  | { kind: "idle" }
  | { kind: "previewing"; task: BulkTask }
  /** `isDrifted`: other rows than the last preview counted, so it was made again. */
  | { kind: "previewed" | "running"; task: BulkTask; preview: BulkPreview; isDrifted: boolean };

/** What came of the last attempt. */
export type BulkOutcome =
  | { kind: "done"; answer: BulkAnswer }
  | { kind: "failed"; title: string; text: string; fieldErrors: readonly FieldError[] };

const IDLE: BulkStep = { kind: "idle" };
const COUNT_CHANGED = "count_changed";

/** A delete or update that affected nothing has failed (specification B section 5), unless a job goes on with it. */
function isDone({ affected_count, job }: BulkAnswer): boolean {
  return job !== null || affected_count > 0;
}

/** Previews, and then does, one bulk operation. */
export function useBulk(source: RecordSource, onDone: (answer: BulkAnswer) => void) {
  const { t } = useTranslation();
  const { mutateAsync } = useCustomMutation();
  const [step, setStep] = useState<BulkStep>(IDLE);
  const [outcome, setOutcome] = useState<BulkOutcome>();
  const objects = `${ADMIN_API}/models/${source.content_type_id}/objects/bulk/`;

  async function post(url: string, values: object): Promise<unknown> {
    const answer = await mutateAsync({
      url,
      method: "post",
      values,
      successNotification: false,
      errorNotification: false,
    });
    return answer.data;
  }

  function fail(title: string, error: unknown): void {
    const fieldErrors = isDataError(error) ? error.fieldErrors : [];
    setOutcome({ kind: "failed", title, text: toErrorText(error, t), fieldErrors });
    setStep(IDLE);
  }

  async function look(task: BulkTask, isDrifted: boolean): Promise<void> {
    try {
      const preview = bulkPreview.parse(await post(`${objects}preview/`, toPreviewBody(task)));
      setStep({ kind: "previewed", task, preview, isDrifted });
    } catch (error) {
      fail(t("bulk.failed.preview"), error);
    }
  }

  function finish(task: BulkTask, answer: BulkAnswer): void {
    setStep(IDLE);
    if (isDone(answer)) {
      setOutcome({ kind: "done", answer });
      onDone(answer);
      return;
    }
    const title = t(`bulk.failed.${task.operation}`);
    setOutcome({ kind: "failed", title, text: answer.message || t("errors.operation"), fieldErrors: [] });
  }

  async function confirm(): Promise<void> {
    if (step.kind !== "previewed") return;
    const { task, preview } = step;
    setStep({ ...step, kind: "running" });
    try {
      finish(task, bulkAnswer.parse(await post(objects, toRunBody(task, preview))));
    } catch (error) {
      if (isDataError(error) && error.code === COUNT_CHANGED) await look(task, true);
      else fail(t(`bulk.failed.${task.operation}`), error);
    }
  }

  return {
    step,
    outcome,
    async preview(task: BulkTask): Promise<void> {
      setOutcome(undefined);
      setStep({ kind: "previewing", task });
      await look(task, false);
    },
    confirm,
    close: () => setStep(IDLE),
    forgetOutcome: () => setOutcome(undefined),
  };
}
