import {
  CheckCircleFilled,
  CloseCircleFilled,
  ExclamationCircleFilled,
  QuestionCircleFilled,
} from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { HealthAnswer, HealthStatus } from "#contract/health.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { useHealthText } from "./use-health-text.ts";

const STATUS_ICONS = {
  healthy: <CheckCircleFilled {...DECORATIVE} />,
  warning: <ExclamationCircleFilled {...DECORATIVE} />,
  critical: <CloseCircleFilled {...DECORATIVE} />,
  unknown: <QuestionCircleFilled {...DECORATIVE} />,
};

/** A status as icon, word and colour. */
export function StatusMark({ status }: { status: HealthStatus }) {
  const { t } = useTranslation();
  return (
    <span className="status-mark" data-status={status}>
      {STATUS_ICONS[status]}
      {t(`health.status.${status}`)}
    </span>
  );
}

/** The worst of all services, announced to screen readers when it changes. */
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

const KNOWN_SERVICES = [
  "database",
  "cache",
  "file_storage",
  "outbox",
  "return_path",
  "backup",
  "tables",
  "audit",
  "keys",
  "voice_relay",
  "voice_engine",
  "processes",
  "sending_domain",
  "proxy",
] as const;

function StatusCard(props: { name: string; title: string; status: HealthStatus; text: string }) {
  const { name, title, status, text } = props;
  return (
    <li className="health-card" data-service={name}>
      <h3>{title}</h3>
      <StatusMark status={status} />
      <p>{text}</p>
    </li>
  );
}

/** Database, Cache and File Storage (specification B section 2), and whatever else a back end checks, under its own name. */
export function ServicesPart({ services }: { services: HealthAnswer["services"] }) {
  const { t } = useTranslation();
  const toTitle = (name: string) => {
    const key = KNOWN_SERVICES.find((known) => known === name.toLowerCase().replaceAll(" ", "_"));
    return key ? t(`health.services.${key}`) : name;
  };
  return (
    <section aria-label={t("health.services.title")}>
      <h2>{t("health.services.title")}</h2>
      <ul className="health-cards">
        {Object.entries(services).map(([name, { status, message }]) => (
          <StatusCard
            key={name}
            name={name}
            title={toTitle(name)}
            status={status}
            text={message || (status === "healthy" ? t("health.services.fine") : "")}
          />
        ))}
      </ul>
    </section>
  );
}
