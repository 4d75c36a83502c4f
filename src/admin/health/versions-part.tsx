import { useTranslation } from "react-i18next";
import type { HealthAnswer } from "#contract/health.ts";

/** What runs; a back end names what it has. */
export function VersionsPart({ health }: { health: HealthAnswer }) {
  const { t } = useTranslation();
  const versions = [
    [t("health.versions.server"), health.server_version],
    [t("health.versions.node"), health.node_version],
    [t("health.versions.database"), health.database_version],
    [t("health.versions.python"), health.python_version],
    [t("health.versions.django"), health.django_version],
  ].filter(([, version]) => version);
  return (
    <section className="health-card" aria-label={t("health.versions.title")}>
      <h2>{t("health.versions.title")}</h2>
      <dl className="health-facts">
        {versions.map(([name, version]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{version}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
