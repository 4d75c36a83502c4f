import "./dashboard.css";
import { ReloadOutlined } from "@ant-design/icons";
import { useCustom } from "@refinedev/core";
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { type DashboardAnswer, dashboardAnswer } from "#contract/dashboard.ts";
import { ADMIN_API, completeDashboard } from "#providers/refine/endpoints.ts";
import { AlarmBanner } from "../email/monitoring/alarm-banner.tsx";
import { PageHeader } from "../navigation/page-header.tsx";
import { SampleCard } from "../sample/sample-card.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import { ErrorState } from "../ui/errors.tsx";
import { ActivityPanel, StatCards } from "./figures.tsx";
import { DashboardModels, Monitoring, QuickActions } from "./link-panels.tsx";
import { RecentActions } from "./recent-actions.tsx";

/** A dashboard that stays open keeps itself up to date; the library pauses while nobody sees the page. */
const REFRESH_MS = 60_000;

/** The figures, fetched anew at each visit; those of the last visit stand until then. */
function useDashboard() {
  const { query } = useCustom<DashboardAnswer>({
    url: `${ADMIN_API}/dashboard/`,
    method: "get",
    queryOptions: {
      refetchInterval: REFRESH_MS,
      select: ({ data }) => ({ data: dashboardAnswer.parse(completeDashboard(data)) }),
    },
    errorNotification: false,
  });
  return { query, dashboard: query.data?.data };
}

const SKELETON_CARDS = ["a", "b", "c", "d"];
const SKELETON_ROWS = ["a", "b", "c", "d", "e", "f"];

function PanelSkeleton({ rows }: { rows: readonly string[] }) {
  return (
    <div className="panel">
      <span className="skeleton skeleton-title" />
      {rows.map((key) => (
        <span key={key} className="skeleton" />
      ))}
    </div>
  );
}

/** The shape of the dashboard before its figures are here. */
function DashboardSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status">
      <span className="visually-hidden">{t("states.loading")}</span>
      <div className="dashboard" aria-hidden>
        <div className="stat-cards">
          {SKELETON_CARDS.map((key) => (
            <div key={key} className="stat-card stat-card-skeleton">
              <span className="skeleton skeleton-short" />
              <span className="skeleton skeleton-title" />
              <span className="skeleton" />
            </div>
          ))}
        </div>
        <div className="dashboard-main">
          <div className="panel">
            <span className="skeleton skeleton-title" />
            <span className="skeleton chart-plot-skeleton" />
          </div>
          <PanelSkeleton rows={SKELETON_ROWS} />
        </div>
        <div className="dashboard-side">
          <PanelSkeleton rows={SKELETON_ROWS} />
          <PanelSkeleton rows={SKELETON_ROWS} />
        </div>
      </div>
    </div>
  );
}

function Figures({ dashboard }: { dashboard: DashboardAnswer }) {
  return (
    <div className="dashboard">
      <StatCards stats={dashboard.stats} />
      <div className="dashboard-main">
        {dashboard.activity.length > 0 && <ActivityPanel activity={dashboard.activity} />}
        <RecentActions actions={dashboard.recent_actions} />
      </div>
      <div className="dashboard-side">
        <QuickActions models={dashboard.available_models} />
        <DashboardModels models={dashboard.available_models} />
        <Monitoring />
      </div>
    </div>
  );
}

function Content({ query, dashboard }: ReturnType<typeof useDashboard>) {
  const { t } = useTranslation();
  const retry = () => void query.refetch();
  if (!dashboard) {
    if (!query.isError) return <DashboardSkeleton />;
    return <ErrorState title={t("dashboard.error")} error={query.error} onRetry={retry} />;
  }
  return (
    <>
      {query.isError && (
        <Alert
          className="dashboard-alert"
          type="warning"
          showIcon
          message={t("dashboard.error")}
          description={t("dashboard.stale")}
          action={<Button onClick={retry}>{t("actions.retry")}</Button>}
        />
      )}
      <Figures dashboard={dashboard} />
    </>
  );
}

/** `/admin`: how the site is doing, and what people come for. */
export function DashboardPage() {
  const { t } = useTranslation();
  const { query, dashboard } = useDashboard();
  return (
    <>
      <PageHeader
        title={t("dashboard.title")}
        actions={
          <Button
            icon={<ReloadOutlined {...DECORATIVE} />}
            loading={query.isFetching && !query.isPending}
            onClick={() => void query.refetch()}
          >
            {t("dashboard.refresh")}
          </Button>
        }
      />
      <AlarmBanner isShort />
      <SampleCard />
      <Content query={query} dashboard={dashboard} />
    </>
  );
}
