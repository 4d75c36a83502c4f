import { useTranslation } from "react-i18next";
import type { HealthAnswer, HealthStatus } from "#contract/health.ts";
import { StatusMark } from "./status.tsx";

const KNOWN_SERVICES = [
  "database",
  "cache",
  "file_storage",
  "outbox",
  "voice_relay",
  "voice_engine",
  "sending_domain",
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
