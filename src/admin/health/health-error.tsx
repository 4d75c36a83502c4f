import { useTranslation } from "react-i18next";
import { isDataError } from "#providers/data.ts";
import { ErrorState } from "../parts/error-state.tsx";

interface HealthErrorProps {
  /** Null: nobody is signed in, so nothing was asked. */
  error: { message: string } | null;
  onRetry: () => void;
}

/** Why there are no figures, in the words of specification B section 8. */
export function HealthError({ error, onRetry }: HealthErrorProps) {
  const { t } = useTranslation();
  // 0: the server was not reached, which has words of its own.
  const status = isDataError(error) && error.statusCode > 0 ? error.statusCode : undefined;
  const told = status === undefined ? error : { message: t("health.failed", { status }) };
  return (
    <ErrorState
      title={t("health.error")}
      error={told ?? { message: t("health.noToken") }}
      onRetry={onRetry}
    />
  );
}
