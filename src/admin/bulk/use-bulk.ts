import { useCustomMutation } from "@refinedev/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type BulkAnswer, type BulkPreview, bulkAnswer, bulkPreview } from "#contract/bulk.ts";
import type { FieldError } from "#contract/errors.ts";
import { isDataError } from "#providers/data.ts";
import { ADMIN_API } from "#providers/endpoints.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toErrorText } from "../parts/error-text.ts";
import { type BulkTask, toPreviewBody, toRunBody } from "./bulk-task.ts";

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
export function useBulk(model: RecordSource, onDone: (answer: BulkAnswer) => void) {
  const { t } = useTranslation();
  const { mutateAsync } = useCustomMutation();
  const [step, setStep] = useState<BulkStep>(IDLE);
  const [outcome, setOutcome] = useState<BulkOutcome>();
  const objects = `${ADMIN_API}/models/${model.content_type_id}/objects/bulk/`;

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
