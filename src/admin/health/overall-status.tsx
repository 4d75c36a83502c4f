import { useTranslation } from "react-i18next";
import type { HealthAnswer } from "#contract/health.ts";
import { StatusMark } from "./status.tsx";
import { useHealthText } from "./use-health-text.ts";

/** The worst of all services, told to screen readers when it changes. */
export function OverallStatus({ health }: { health: HealthAnswer }) {
  const { t } = useTranslation();
  const { time } = useHealthText();
  const { overall_status: status } = health;
  return (
    <section className="overall" data-status={status} aria-label={t("health.overall.title")}>
      <h2>{t("health.overall.title")}</h2>
      <p className="overall-status" role="status">
        <StatusMark status={status} />
        <span>{t(`health.overall.${status}`)}</span>
      </p>
      <p className="overall-check">
        {t("health.metrics.lastCheck")}: <time dateTime={health.last_check}>{time(health.last_check)}</time>
      </p>
    </section>
  );
}
