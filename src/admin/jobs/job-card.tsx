import "./jobs.css";
import { useCustomMutation, useGetIdentity, useNotification } from "@refinedev/core";
import { App, Button } from "antd";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { AccountUser } from "#contract/accounts/accounts.ts";
import { type Job, job as jobSchema } from "#contract/content/bulk.ts";
import { toLanguage } from "#contract/languages.ts";
import { toErrorText } from "../ui/errors.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { JobReasons } from "./job-reasons.tsx";
import { isUnfinished, toDurationText, toPart } from "./job-state.ts";
import { JOBS_API, useJobsCache } from "./use-jobs.ts";

/** Cancels and resumes one job. */
function useJobActions(id: string) {
  const { t } = useTranslation();
  const { open } = useNotification();
  const { put } = useJobsCache();
  const { mutateAsync, mutation } = useCustomMutation();

  async function send(verb: "cancel" | "resume"): Promise<void> {
    try {
      const { data } = await mutateAsync({
        url: `${JOBS_API}${id}/${verb}/`,
        method: "post",
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      put(jobSchema.parse(data));
      if (verb === "resume") open?.({ key: `job-${id}`, type: "success", message: t("jobs.resumed") });
    } catch (error) {
      const message = t(verb === "cancel" ? "jobs.failedCancel" : "jobs.failedResume");
      open?.({ key: `job-${id}`, type: "error", message, description: toErrorText(error, t) });
    }
  }

  return {
    cancel: () => send("cancel"),
    resume: () => send("resume"),
    isSending: mutation.isPending,
  };
}

/** Cancel, after a question, while a job is under way; Resume once it has stopped. */
function JobActions({ job, name }: { job: Job; name: string }) {
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

/** Screen readers announce each quarter, and not of every tick. */
const ANNOUNCED_STEPS = 4;

function Progress({ job, name }: { job: Job; name: string }) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const format = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 0 });
  const part = toPart(job);
  // Nothing is done at 99.6 %.
  const shown = Math.floor(part * 100) / 100;
  const step = Math.floor(part * ANNOUNCED_STEPS) / ANNOUNCED_STEPS;
  return (
    <div className="job-progress">
      <progress id={id} aria-label={t("jobs.progress", { name })} value={part} max={1} />
      <label htmlFor={id}>
        {t("jobs.progressText", {
          done: format.format(job.done_count),
          total: format.format(job.total_count),
          percent: percent.format(shown),
        })}
      </label>
      <span className="visually-hidden" aria-live="polite">
        {isUnfinished(job) && step > 0 && t("jobs.announce", { name, percent: percent.format(step) })}
      </span>
    </div>
  );
}

function Counts({ job }: { job: Job }) {
  const { t, i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  const format = new Intl.NumberFormat(lang);
  const rows = [
    [t(`jobs.affected.${job.operation}`), format.format(job.affected_count)],
    [t("jobs.skipped"), format.format(job.skipped_count)],
    [t("jobs.failed"), format.format(job.failed_count)],
    [t("jobs.time"), toDurationText(job, Date.now(), lang) ?? "—"],
  ] as const;
  return (
    <dl className="job-counts">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One job: where it stands, what it did, and what can be done with it. */
export function JobCard({ job, heading: Heading = "h3" }: { job: Job; heading?: "h2" | "h3" }) {
  const { t } = useTranslation();
  const { data: me } = useGetIdentity<AccountUser>();
  const headingId = useId();
  const name = t(`jobs.operation.${job.operation}`, { name: job.verbose_name });
  const isOthers = job.user !== null && me !== undefined && job.user.id !== me.id;
  return (
    <article className="job" aria-labelledby={headingId} data-status={job.status}>
      <div className="job-head">
        <Heading id={headingId}>{name}</Heading>
        <span className="job-status">{t(`jobs.status.${job.status}`)}</span>
        <span className="job-begun">
          <RelativeTime moment={job.created_at} />
          {isOthers && ` · ${t("jobs.by", { name: job.user?.username })}`}
        </span>
      </div>
      <Progress job={job} name={name} />
      <p className="job-message">{job.message}</p>
      <Counts job={job} />
      <JobActions job={job} name={name} />
      {job.skipped_count + job.failed_count > 0 && <JobReasons id={job.id} />}
    </article>
  );
}
