import { useTranslation } from "react-i18next";

const LIST_ROWS = Array.from({ length: 10 }, (_, index) => index);

export function RowsSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" className="rows-skeleton">
      <span className="visually-hidden">{t("states.loading")}</span>
      {LIST_ROWS.map((row) => (
        <span key={row} className="skeleton" />
      ))}
    </div>
  );
}
