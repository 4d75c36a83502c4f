import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { ErrorState } from "./error-state.tsx";

/** A screen that failed while drawing. Loading the document again also mends files that a new version has replaced. */
export function ScreenError() {
  const { t } = useTranslation();
  const error = useRouteError();
  return (
    <ErrorState
      title={t("errors.screen")}
      error={{ message: error instanceof Error ? error.message : t("errors.unknown") }}
      onRetry={() => window.location.reload()}
    />
  );
}
