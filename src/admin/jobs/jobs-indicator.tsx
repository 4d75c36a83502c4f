import "./jobs.css";
import { HourglassOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { DECORATIVE } from "../ui/accessibility.ts";
import { isUnfinished } from "./job-state.ts";
import { useEndedJobs } from "./use-ended-jobs.ts";
import { useJobs } from "./use-jobs.ts";

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
