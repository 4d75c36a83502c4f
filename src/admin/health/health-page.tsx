import "./health.css";
import { PauseOutlined, PlayCircleOutlined, ReloadOutlined } from "@ant-design/icons";
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import type { HealthAnswer } from "#contract/health.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import { CachePart } from "./cache-part.tsx";
import { VersionsPart } from "./facts.tsx";
import { HealthError } from "./health-error.tsx";
import { HealthSkeleton } from "./health-skeleton.tsx";
import { HistoryPart } from "./history.tsx";
import { MetricsPart } from "./metrics-part.tsx";
import { OverallStatus } from "./overall-status.tsx";
import { DomainPart } from "./sending-domain.tsx";
import { ServicesPart } from "./services-part.tsx";
import { UpdatedAgo } from "./updated-ago.tsx";
import { useHealth } from "./use-health.ts";
import { useHealthText } from "./use-health-text.ts";

type Live = ReturnType<typeof useHealth>;

function Controls({ query, isPaused, setPaused }: Live) {
  const { t } = useTranslation();
  return (
    <>
      {query.dataUpdatedAt > 0 && <UpdatedAgo atMs={query.dataUpdatedAt} isPaused={isPaused} />}
      <Button
        icon={isPaused ? <PlayCircleOutlined {...DECORATIVE} /> : <PauseOutlined {...DECORATIVE} />}
        onClick={() => setPaused(!isPaused)}
      >
        {t(isPaused ? "health.resume" : "health.pause")}
      </Button>
      <Button icon={<ReloadOutlined {...DECORATIVE} />} onClick={() => void query.refetch()}>
        {t("health.refresh")}
      </Button>
    </>
  );
}

function Figures({ health, onAsked }: { health: HealthAnswer; onAsked: () => void }) {
  return (
    <>
      <OverallStatus health={health} />
      <ServicesPart services={health.services} />
      {health.sending_domain && <DomainPart domain={health.sending_domain} onAsked={onAsked} />}
      <MetricsPart health={health} />
      <HistoryPart history={health.history} />
    </>
  );
}

/** The last known figures stay while the server can't be asked, and say how old they are. */
function Content({ query, health, hasSession }: Live) {
  const { t } = useTranslation();
  const { time } = useHealthText();
  const retry = () => void query.refetch();
  if (!hasSession) return <HealthError error={null} onRetry={retry} />;
  if (!health)
    return query.isError ? <HealthError error={query.error} onRetry={retry} /> : <HealthSkeleton />;
  return (
    <div className="health">
      {query.isError && (
        <Alert
          type="warning"
          showIcon
          message={t("health.error")}
          description={t("health.old", { time: time(query.dataUpdatedAt) })}
          action={<Button onClick={retry}>{t("actions.retry")}</Button>}
        />
      )}
      <Figures health={health} onAsked={retry} />
      <div className="health-last">
        <VersionsPart health={health} />
        <CachePart />
      </div>
    </div>
  );
}

/** `/admin/health`: how the site is, kept up to date while somebody looks. */
export function HealthPage() {
  const { t } = useTranslation();
  const live = useHealth();
  return (
    <>
      <PageHeader title={t("health.title")} text={t("health.intro")} actions={<Controls {...live} />} />
      <Content {...live} />
    </>
  );
}
