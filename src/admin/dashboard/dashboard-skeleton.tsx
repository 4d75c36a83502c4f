import { useTranslation } from "react-i18next";

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
export function DashboardSkeleton() {
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
