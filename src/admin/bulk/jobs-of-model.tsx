import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job } from "#contract/bulk.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { JobCard } from "../jobs/job-card.tsx";
import { isUnfinished } from "../jobs/job-state.ts";
import { useJobs, useJobsCache } from "../jobs/use-jobs.ts";

/** One that has stopped is offered to be resumed for so long; after that on the page of all jobs. */
const RECENT_MS = 60 * 60 * 1000;
const SHOWN_MAX = 3;

/** Of interest here: it runs, it has ended since the screen was opened, or it can go on. */
function isShown(job: Job, openedAt: number): boolean {
  const endedAt = job.finished_at === null ? undefined : Date.parse(job.finished_at);
  if (isUnfinished(job) || endedAt === undefined) return true;
  return endedAt > openedAt || (job.is_resumable && openedAt - endedAt < RECENT_MS);
}

/** Jobs of one model, as far as they matter to who works on it now. */
export function JobsOfModel({ model }: { model: RecordSource }) {
  const { t } = useTranslation();
  const { watch } = useJobsCache();
  const { jobs } = useJobs();
  const [openedAt] = useState(() => Date.now());
  useEffect(watch, [watch]);
  const shown = jobs
    .filter((job) => job.content_type_id === model.content_type_id)
    .filter((job) => isShown(job, openedAt))
    .slice(0, SHOWN_MAX);
  if (shown.length === 0) return null;
  return (
    <section className="bulk-jobs" aria-label={t("jobs.ofModel")}>
      <h2>{t("jobs.ofModel")}</h2>
      <div className="jobs">
        {shown.map((job) => (
          <JobCard key={job.id} job={job} />
        ))}
      </div>
    </section>
  );
}
