import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { HealthAnswer } from "#contract/health.ts";
import { type CacheStats, MAX_ENTRIES, useAdminCache } from "../cache/admin-cache.ts";
import { FactsList } from "../ui/panel.tsx";
import { useHealthText } from "./use-health-text.ts";

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

/** Specification B section 9. */
const STATS_INTERVAL_MS = 2000;

function useCacheStats(): CacheStats {
  const cache = useAdminCache();
  const [stats, setStats] = useState(cache.getStats);
  useEffect(() => {
    const timer = setInterval(() => setStats(cache.getStats()), STATS_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [cache]);
  return stats;
}

/** Statistics of the admin data cache of this page. */
export function CachePart() {
  const { t } = useTranslation();
  const text = useHealthText();
  const { entries, hits, misses } = useCacheStats();
  const lookUps = hits + misses;
  const facts: [string, string][] = [
    [
      t("health.cache.entries"),
      t("health.cache.entriesOf", { entries: text.count(entries), max: text.count(MAX_ENTRIES) }),
    ],
    [t("health.cache.hits"), text.count(hits)],
    [t("health.cache.misses"), text.count(misses)],
    [t("health.cache.hitRate"), lookUps === 0 ? t("health.cache.noLookUps") : text.share(hits / lookUps)],
  ];
  return (
    <section className="health-card" aria-label={t("health.cache.title")}>
      <h2>{t("health.cache.title")}</h2>
      <p>{t("health.cache.help")}</p>
      <FactsList facts={facts} />
    </section>
  );
}
