import { useCustomMutation, useNotification } from "@refinedev/core";
import { App, Button, Space } from "antd";
import { useTranslation } from "react-i18next";
import { type BatchAnswer, batchAnswer } from "#contract/content/bulk.ts";
import type { NextAction } from "#resources/record-source.ts";
import { toErrorText } from "../../ui/errors.tsx";

/** One at a time: what was done before the last action is history. */
const KEY = "undo";

interface NoticeButton {
  label: string;
  onClick: () => void;
}

/**
 * Says what was done, with the way back and what can be done next, as far as there is either. It stays until it is closed or used:
 * nobody has to hurry.
 */
function useUndoNotice(): (
  message: string,
  buttons: { onUndo?: (() => void) | undefined; next?: NoticeButton | undefined },
) => void {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  return (message, { onUndo, next }) => {
    const draw = ({ label, onClick }: NoticeButton) => (
      <Button
        key={label}
        size="small"
        onClick={() => {
          notification.destroy(KEY);
          onClick();
        }}
      >
        {label}
      </Button>
    );
    notification.success({
      key: KEY,
      message,
      role: "status",
      duration: 0,
      actions: (
        <Space wrap>
          {next && draw(next)}
          {onUndo && draw({ label: t("list.batch.undo"), onClick: onUndo })}
        </Space>
      ),
    });
  };
}

type ToNext = ((answer: BatchAnswer) => NextAction | undefined) | undefined;

/** POSTs, and reads the answer; rejects where it is none. */
export function useSend() {
  const { mutateAsync } = useCustomMutation();
  return async (url: string, values: unknown): Promise<BatchAnswer> => {
    const { data } = await mutateAsync({
      url,
      method: "post",
      // Refine's type asks for a value; a call without one has no body.
      values: values ?? {},
      successNotification: false,
      errorNotification: false,
    });
    return batchAnswer.parse(data);
  };
}

interface FollowUpDeps {
  /** Has what was written read again. */
  readAgain: () => Promise<unknown>;
  /** A further call left some rows as they were; without it a notice says so. */
  onResults?: (failed: string, results: NonNullable<BatchAnswer["results"]>) => void;
}

/** Says what a call did, offers its undo and what it makes possible, and does what of it is wanted. */
export function useFollowUps({
  readAgain,
  onResults,
}: FollowUpDeps): (message: string, answer: BatchAnswer, toNext?: ToNext) => void {
  const { t } = useTranslation();
  const { open } = useNotification();
  const send = useSend();
  const showUndo = useUndoNotice();
  const fail = (title: string, description: string) => open?.({ type: "error", message: title, description });

  async function goOn({ path, body, failed, label }: NextAction): Promise<void> {
    try {
      const { success, message, results = [] } = await send(path, body);
      const left = results.filter(({ ok }) => !ok);
      if (success) open?.({ type: "success", message: message ?? label });
      else if (left.length === 0 || !onResults)
        fail(failed, left[0]?.message ?? message ?? t("errors.operation"));
      if (left.length > 0) onResults?.(failed, results);
    } catch (error) {
      fail(failed, toErrorText(error, t));
    }
    await readAgain();
  }

  async function undo({ path, body }: NonNullable<BatchAnswer["undo"]>, toNext: ToNext): Promise<void> {
    try {
      const answer = await send(path, body);
      const message = answer.message ?? t("list.batch.undone");
      if (answer.success) say(message, { ...answer, undo: null }, toNext);
      else fail(t("list.batch.undoFailed"), answer.message ?? t("errors.operation"));
    } catch (error) {
      fail(t("list.batch.undoFailed"), toErrorText(error, t));
    }
    await readAgain();
  }

  function say(message: string, answer: BatchAnswer, toNext: ToNext): void {
    const back = answer.undo;
    const found = toNext?.(answer);
    const next = found && { label: found.label, onClick: () => void goOn(found) };
    if (back || next) showUndo(message, { onUndo: back ? () => void undo(back, toNext) : undefined, next });
    else open?.({ type: "success", message });
  }
  return say;
}
