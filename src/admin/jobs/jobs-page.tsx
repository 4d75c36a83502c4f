import "./jobs.css";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../navigation/page-header.tsx";
import { ErrorState } from "../ui/errors.tsx";
import { EmptyState, RowsSkeleton } from "../ui/states.tsx";
import { JobCard } from "./job-card.tsx";
import { useJobs, useJobsCache } from "./use-jobs.ts";

/** `/admin/jobs`: bulk work that runs or has ended in the last thirty days. */
export function JobsPage() {
  const { t } = useTranslation();
  const { query, jobs } = useJobs();
  const { watch } = useJobsCache();
  useEffect(watch, [watch]);
  return (
    <>
      <PageHeader title={t("jobs.title")} text={t("jobs.text")} />
      {query.isPending && <RowsSkeleton />}
      {query.isError && !query.data && (
        <ErrorState title={t("jobs.failedToLoad")} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data && jobs.length === 0 && <EmptyState title={t("jobs.none")} text={t("jobs.noneHelp")} />}
      <div className="jobs">
        {jobs.map((job) => (
          <JobCard key={job.id} job={job} heading="h2" />
        ))}
      </div>
    </>
  );
}
