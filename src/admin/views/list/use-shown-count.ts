import { useCallback } from "react";
import { useTranslation } from "react-i18next";

/** `1,204`; an estimate has a `~` before it. */
export function useShownCount(): (count: number, isEstimate: boolean) => string {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return useCallback(
    (count, isEstimate) => `${isEstimate ? "~" : ""}${new Intl.NumberFormat(language).format(count)}`,
    [language],
  );
}
