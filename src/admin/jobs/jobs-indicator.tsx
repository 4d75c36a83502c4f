import "./jobs.css";
import { HourglassOutlined } from "@ant-design/icons";
import { useInvalidate, useNotification } from "@refinedev/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Job } from "#contract/content/bulk.ts";
import { accessLevelsResource } from "#resources/access-levels.ts";
import { objectsResource } from "#resources/record-source.ts";
import { modelsResource } from "#resources/screens.ts";
import { usersResource } from "#resources/users.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { findEnded, isUnfinished } from "./job-state.ts";
import { useJobs } from "./use-jobs.ts";

/** One that was cancelled is no success; Refine's third type is a plain notice. */
const TYPES: Partial<Record<Job["status"], "error" | "progress">> = {
  failed: "error",
  cancelled: "progress",
};

/** Says that a job has ended, wherever one is meanwhile, and lets its rows and counts be read again. */
function useEndedJobs(jobs: readonly Job[]): void {
  const { t } = useTranslation();
  const { open } = useNotification();
  const invalidate = useInvalidate();
  const before = useRef(jobs);

  useEffect(() => {
    const ended = findEnded(before.current, jobs);
    before.current = jobs;
    for (const job of ended) {
      // People and access levels are also read at addresses of their own.
      const resources = [
        objectsResource(job.content_type_id),
        usersResource.name,
        accessLevelsResource.name,
        modelsResource.name,
      ];
      for (const resource of resources)
        void invalidate({ resource, invalidates: ["list", "many", "detail"] });
      open?.({
        key: `job-${job.id}`,
        type: TYPES[job.status] ?? "success",
        message: t(`jobs.operation.${job.operation}`, { name: job.verbose_name }),
        description: job.message || (job.status === "failed" ? t("errors.operation") : ""),
      });
    }
  }, [jobs, invalidate, open, t]);
}

/** In the header, on every screen: how many jobs run, and the way to them. It is what keeps all shown jobs fresh. */
export function JobsIndicator() {
  const { t, i18n } = useTranslation();
  const { jobs } = useJobs({ isPolled: true });
  useEndedJobs(jobs);
  const count = jobs.filter(isUnfinished).length;
  if (jobs.length === 0) return null;
  return (
    <Link
      className="jobs-indicator"
      to="/admin/jobs"
      title={count > 0 ? t("jobs.running", { count }) : t("jobs.indicator")}
    >
      <HourglassOutlined {...DECORATIVE} />
      <span className="visually-hidden">
        {count > 0 ? t("jobs.running", { count }) : t("jobs.indicator")}
      </span>
      {count > 0 && (
        <span className="jobs-count" aria-hidden>
          {new Intl.NumberFormat(i18n.language).format(count)}
        </span>
      )}
    </Link>
  );
}
