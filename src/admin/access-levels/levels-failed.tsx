import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { toErrorText } from "../ui/errors.tsx";
import type { LevelsQuery } from "./use-levels.ts";

/** Says that there are no levels to choose from, with the way to try again. */
export function LevelsFailed({ query }: { query: LevelsQuery }) {
  const { t } = useTranslation();
  if (!query.isError || query.data) return null;
  return (
    <Alert
      className="levels-failed"
      type="error"
      showIcon
      role="alert"
      message={t("accessLevels.failed.load")}
      description={toErrorText(query.error, t)}
      action={<Button onClick={() => void query.refetch()}>{t("actions.retry")}</Button>}
    />
  );
}
