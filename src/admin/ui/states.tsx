import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface EmptyStateProps {
  title: string;
  /** Why it is empty, or what to do next. */
  text: string;
  action?: ReactNode;
}

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      <p>{text}</p>
      {action}
    </div>
  );
}

const FORM_ROWS = ["a", "b", "c", "d"];

export function FormSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status">
      <span className="visually-hidden">{t("states.loading")}</span>
      {FORM_ROWS.map((row) => (
        <div key={row} className="form-skeleton-row" aria-hidden>
          <span className="skeleton skeleton-short" />
          <span className="skeleton skeleton-input" />
        </div>
      ))}
    </div>
  );
}

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
