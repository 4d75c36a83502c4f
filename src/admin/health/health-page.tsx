import "./health.css";
import { PauseOutlined, PlayCircleOutlined, ReloadOutlined } from "@ant-design/icons";
import { useCustom } from "@refinedev/core";
import { Alert, Button } from "antd";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { type HealthAnswer, healthAnswer } from "#contract/health.ts";
import { toLanguage } from "#contract/languages.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import { formatAgo } from "../../ui/ago.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { ErrorState } from "../ui/errors.tsx";
import { CachePart, VersionsPart } from "./facts.tsx";
import { HistoryPart } from "./history.tsx";
import { MetricsPart } from "./metrics.tsx";
import { ProcessesPart } from "./processes.tsx";
import { DomainPart } from "./sending-domain.tsx";
import { OverallStatus, ServicesPart } from "./status.tsx";
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
      <ProcessesPart processes={health.processes} />
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

const REFRESH_MS = 10_000;
/** While the sending domain is looked up, which takes seconds. */
const SOON_MS = 2_000;

/** A signed-in person, without whom the call would be refused. */
function useHasSession(): boolean {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, () => session.getAuthState() !== null);
}

/** How the site is, asked again every ten seconds while the page is seen and nobody has paused it. */
function useHealth() {
  const hasSession = useHasSession();
  const [isPaused, setPaused] = useState(false);
  const { query } = useCustom<HealthAnswer>({
    url: "/api/health/",
    method: "get",
    queryOptions: {
      enabled: hasSession,
      refetchInterval({ state }) {
        const isChecking = healthAnswer.safeParse(state.data?.data).data?.sending_domain?.is_checking;
        if (isChecking) return SOON_MS;
        return isPaused ? false : REFRESH_MS;
      },
      // Intervals rest in a hidden page; whoever comes back to it wants to know at once.
      refetchOnWindowFocus: isPaused ? false : "always",
      select: ({ data }) => ({ data: healthAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, health: query.data?.data, hasSession, isPaused, setPaused };
}

const TICK_MS = 1000;

/** How old the figures are, counted each second; read by screen readers on request only. */
function UpdatedAgo({ atMs, isPaused }: { atMs: number; isPaused: boolean }) {
  const { t, i18n } = useTranslation();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((nowMs - atMs) / TICK_MS));
  const ago = formatAgo(seconds * TICK_MS, toLanguage(i18n.language), ["minute", "second"]);
  return <span className="health-ago">{t(isPaused ? "health.paused" : "health.updated", { ago })}</span>;
}

interface HealthErrorProps {
  /** Null: nobody is signed in, so nothing was asked. */
  error: { message: string } | null;
  onRetry: () => void;
}

/** Why there are no figures, in the words of specification B section 8. */
function HealthError({ error, onRetry }: HealthErrorProps) {
  const { t } = useTranslation();
  // 0: the server was not reached, which has words of its own.
  const status = isDataError(error) && error.statusCode > 0 ? error.statusCode : undefined;
  const shownError = status === undefined ? error : { message: t("health.failed", { status }) };
  return (
    <ErrorState
      title={t("health.error")}
      error={shownError ?? { message: t("health.noToken") }}
      onRetry={onRetry}
    />
  );
}

const SKELETON_CARDS = ["a", "b", "c", "d"];

function SkeletonCards() {
  return (
    <div className="health-cards">
      {SKELETON_CARDS.map((key) => (
        <div key={key} className="health-card health-card-skeleton">
          <span className="skeleton skeleton-short" />
          <span className="skeleton skeleton-title" />
          <span className="skeleton" />
        </div>
      ))}
    </div>
  );
}

/** The shape of the page before its figures are here. */
function HealthSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status">
      <span className="visually-hidden">{t("states.loading")}</span>
      <div className="health" aria-hidden>
        <div className="overall">
          <span className="skeleton skeleton-title" />
        </div>
        <SkeletonCards />
        <SkeletonCards />
      </div>
    </div>
  );
}
