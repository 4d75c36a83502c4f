import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { ErrorState } from "./error-state.tsx";
import { MissingFileError } from "./missing-file.ts";
import { MissingPart } from "./missing-part.tsx";

/** A screen that failed while drawing, or whose file is gone. Loading the document again mends the latter. */
export function ScreenError() {
  const { t } = useTranslation();
  const error = useRouteError();
  if (error instanceof MissingFileError) return <MissingPart />;
  return (
    <ErrorState
      title={t("errors.screen")}
      error={{ message: error instanceof Error ? error.message : t("errors.unknown") }}
      onRetry={() => window.location.reload()}
    />
  );
}
