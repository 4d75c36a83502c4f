import { useTranslation } from "react-i18next";
import type { HealthAnswer } from "#contract/health.ts";
import { FactsList } from "../parts/facts-list.tsx";

/** What runs; a back end names what it has. */
export function VersionsPart({ health }: { health: HealthAnswer }) {
  const { t } = useTranslation();
  const all: [string, string | null | undefined][] = [
    [t("health.versions.server"), health.server_version],
    [t("health.versions.node"), health.node_version],
    [t("health.versions.database"), health.database_version],
    [t("health.versions.python"), health.python_version],
    [t("health.versions.django"), health.django_version],
  ];
  const versions = all.filter(([, version]) => version);
  return (
    <section className="health-card" aria-label={t("health.versions.title")}>
      <h2>{t("health.versions.title")}</h2>
      <FactsList facts={versions} />
    </section>
  );
}
