import "../../dashboard/dashboard.css";
import "./monitoring.css";
import { ReloadOutlined } from "@ant-design/icons";
import { Alert, Button, Radio } from "antd";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router";
import { RANGE_DAYS } from "#contract/content/lists.ts";
import type { MailStats } from "#contract/mail/statistics.ts";
import { PageHeader } from "../../navigation/page-header.tsx";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { ErrorState } from "../../ui/errors.tsx";
import { useMailRefresh } from "../use-mail-refresh.ts";
import { AlarmBanner, useMailHold } from "./alarm-banner.tsx";
import { Domains } from "./domains.tsx";
import { MailCharts } from "./mail-charts.tsx";
import { MailQuickActions } from "./mail-quick-actions.tsx";
import { RecentActivity } from "./recent-activity.tsx";
import { NobodyReports, WaysIn } from "./sources-panel.tsx";
import { DetailedStatistics, Overall, RateCards } from "./statistics.tsx";
import { useMailSources } from "./use-mail-sources.ts";
import { isAbsent, useMailSeries, useMailStats, usePeriod, useRecentMails } from "./use-monitoring.ts";

function LoadFailed({ error, onRetry }: { error: { message: string }; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <ErrorState
      title={t("emailMonitoring.errorTitle")}
      text={t("emailMonitoring.failed.stats")}
      error={error}
      onRetry={onRetry}
    />
  );
}

/** Figures stay while they can't be brought up to date, and say so. */
function Figures({ query, stats }: ReturnType<typeof useMailStats>) {
  const { t } = useTranslation();
  const retry = () => void query.refetch();
  if (!stats) return query.isError ? <LoadFailed error={query.error} onRetry={retry} /> : <CardsSkeleton />;
  return (
    <>
      {query.isError && (
        <Alert
          type="warning"
          showIcon
          message={t("emailMonitoring.failed.stats")}
          description={t("emailMonitoring.stale")}
          action={<Button onClick={retry}>{t("actions.retry")}</Button>}
        />
      )}
      <Overall stats={stats} />
      <RateCards stats={stats} />
    </>
  );
}

interface SeriesProps extends ReturnType<typeof useMailSeries> {
  stats: MailStats | undefined;
}

/** Nothing where a back end has no series, or where the figures themselves say what went wrong. */
function Charts({ query, series, stats }: SeriesProps) {
  if (series) return stats && <MailCharts days={series.days} stats={stats} />;
  if (!query.isError) return <ChartsSkeleton />;
  if (isAbsent(query.error) || !stats) return null;
  return <LoadFailed error={query.error} onRetry={() => void query.refetch()} />;
}

function Period({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      className="periods"
      optionType="button"
      aria-label={t("emailMonitoring.period.label")}
      value={days}
      onChange={(event) => onChange(event.target.value)}
      options={RANGE_DAYS.map((value) => ({
        value,
        label: t("emailMonitoring.period.days", { days: value }),
      }))}
    />
  );
}

/** `/admin/email-monitoring` (specification B section 2): what became of the mail, kept up to date while somebody looks. */
export function MonitoringPage() {
  const { t } = useTranslation();
  const [days, changeDays] = usePeriod();
  const figures = useMailStats(days);
  const series = useMailSeries(days);
  const recent = useRecentMails();
  const sources = useMailSources();
  const hold = useMailHold();
  const queries = [figures.query, series.query, recent.query, sources.query, hold.query];
  const refresh = () => Promise.all(queries.map((query) => query.refetch()));
  useMailRefresh(refresh);
  const { stats } = figures;
  return (
    <>
      <PageHeader
        title={t("emailMonitoring.title")}
        text={t("emailMonitoring.intro")}
        actions={
          <>
            <Period days={days} onChange={changeDays} />
            <Button icon={<ReloadOutlined {...DECORATIVE} />} onClick={() => void refresh()}>
              {t("emailMonitoring.refresh")}
            </Button>
          </>
        }
      />
      <AlarmBanner />
      <div className="monitoring">
        <NobodyReports answer={sources.answer} />
        <Figures {...figures} />
        <div className="dashboard">
          <div className="dashboard-main">
            <Charts {...series} stats={stats} />
          </div>
          <div className="dashboard-side">
            <MailQuickActions
              days={days}
              figures={stats && { days, stats, series: series.series }}
              onRefresh={() => void refresh()}
            />
            {stats && <DetailedStatistics stats={stats} />}
          </div>
        </div>
        <div className="monitoring-pair">
          <RecentActivity {...recent} />
          <div className="monitoring-side">
            {series.series && stats && <Domains domains={series.series.domains} stats={stats} />}
            <WaysIn {...sources} />
          </div>
        </div>
      </div>
      <Outlet />
    </>
  );
}

const SKELETON_CARDS = ["a", "b", "c", "d"];

/** The shape of the figures before they are here. */
function CardsSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status">
      <span className="visually-hidden">{t("states.loading")}</span>
      <div className="monitoring" aria-hidden>
        <div className="mail-overall">
          <span className="skeleton skeleton-title" />
        </div>
        <div className="rate-cards">
          {SKELETON_CARDS.map((key) => (
            <div key={key} className="rate-card rate-card-skeleton">
              <span className="skeleton skeleton-short" />
              <span className="skeleton skeleton-title" />
              <span className="skeleton" />
              <span className="skeleton" />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Of the charts, whose height doesn't depend on their figures. */
function ChartsSkeleton() {
  return SKELETON_CARDS.slice(0, 2).map((key) => (
    <div key={key} className="panel" aria-hidden>
      <span className="skeleton skeleton-title" />
      <span className="skeleton chart-plot-skeleton" />
    </div>
  ));
}
