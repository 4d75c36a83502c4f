import { useTranslation } from "react-i18next";

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
export function HealthSkeleton() {
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
