import { useCustomMutation } from "@refinedev/core";
import { Button } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type HealthAnswer, type VersionAnswer, versionAnswer } from "#contract/health.ts";
import { type CacheStats, MAX_ENTRIES, useAdminCache } from "../cache/admin-cache.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { toErrorText } from "../ui/errors.tsx";
import { FactsList } from "../ui/panel.tsx";
import { useHealthText } from "./use-health-text.ts";

const UPDATE_COMMAND = "sudo npm run foyer -- update";

type Look = { error: string } | VersionAnswer;

function Outcome({ look }: { look: Look }) {
  const { t } = useTranslation();
  if ("error" in look)
    return (
      <p>
        <strong>{t("health.versions.lookFailed")}.</strong> {look.error}
      </p>
    );
  if (look.newer === null) return <p>{t("health.versions.newest")}</p>;
  return (
    <>
      <p>{t("health.versions.newer", { version: look.newer })}</p>
      <p className="version-command">
        <code>{UPDATE_COMMAND}</code>
        <CopyButton text={UPDATE_COMMAND} label={t("health.versions.copyCommand")} />
      </p>
    </>
  );
}

/** Asks for a newer version, when somebody wants to know. */
function VersionLook() {
  const { t } = useTranslation();
  const [look, setLook] = useState<Look>();
  const { mutateAsync, mutation } = useCustomMutation();
  async function ask(): Promise<void> {
    try {
      const { data } = await mutateAsync({
        url: "/api/health/version/",
        method: "post",
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      setLook(versionAnswer.parse(data));
    } catch (error) {
      setLook({ error: toErrorText(error, t) });
    }
  }
  return (
    <div className="version-look">
      <Button loading={mutation.isPending} onClick={() => void ask()}>
        {t("health.versions.look")}
      </Button>
      <div role="status">{look && !mutation.isPending && <Outcome look={look} />}</div>
      <p>{t("health.versions.lookHelp")}</p>
    </div>
  );
}

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
      {health.version_check && <VersionLook />}
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
