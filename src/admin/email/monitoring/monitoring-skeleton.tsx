import { useTranslation } from "react-i18next";

const SKELETON_CARDS = ["a", "b", "c", "d"];

/** The shape of the figures before they are here. */
export function CardsSkeleton() {
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
export function ChartsSkeleton() {
  return SKELETON_CARDS.slice(0, 2).map((key) => (
    <div key={key} className="panel" aria-hidden>
      <span className="skeleton skeleton-title" />
      <span className="skeleton chart-plot-skeleton" />
    </div>
  ));
}
