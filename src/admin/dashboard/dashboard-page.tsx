import "./dashboard.css";
import { ReloadOutlined } from "@ant-design/icons";
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import type { DashboardAnswer } from "#contract/dashboard.ts";
import { AlarmBanner } from "../email/monitoring/alarm-banner.tsx";
import { PageHeader } from "../navigation/page-header.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { SampleCard } from "../sample/sample-card.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import { ActivityPanel } from "./activity-panel.tsx";
import { DashboardModels } from "./dashboard-models.tsx";
import { DashboardSkeleton } from "./dashboard-skeleton.tsx";
import { QuickActions } from "./link-panels.tsx";
import { Monitoring } from "./monitoring.tsx";
import { RecentActions } from "./recent-actions.tsx";
import { StatCards } from "./stat-cards.tsx";
import { useDashboard } from "./use-dashboard.ts";

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
