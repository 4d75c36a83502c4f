import { App, Button } from "antd";
import { useTranslation } from "react-i18next";
import type { Job } from "#contract/bulk.ts";
import { isUnfinished } from "./job-state.ts";
import { useJobActions } from "./use-job-actions.ts";

/** Cancel, after a question, while a job is under way; Resume once it has stopped. */
export function JobActions({ job, name }: { job: Job; name: string }) {
  const { t, i18n } = useTranslation();
  const { modal } = App.useApp();
  const { cancel, resume, isSending } = useJobActions(job.id);
  const ask = () =>
    modal.confirm({
      title: t("jobs.cancelTitle"),
      content: t("jobs.cancelText", {
        shown: new Intl.NumberFormat(i18n.language).format(job.affected_count),
      }),
      okText: t("jobs.cancelYes"),
      okButtonProps: { danger: true },
      cancelText: t("jobs.cancelNo"),
      autoFocusButton: "cancel",
      onOk: cancel,
    });
  const canCancel = isUnfinished(job) && job.status !== "cancelling";
  if (!canCancel && !job.is_resumable) return null;
  return (
    <div className="job-actions">
      {canCancel && (
        <Button aria-label={`${t("jobs.cancel")}: ${name}`} disabled={isSending} onClick={ask}>
          {t("jobs.cancel")}
        </Button>
      )}
      {job.is_resumable && (
        <Button aria-label={`${t("jobs.resume")}: ${name}`} loading={isSending} onClick={() => void resume()}>
          {t("jobs.resume")}
        </Button>
      )}
    </div>
  );
}
