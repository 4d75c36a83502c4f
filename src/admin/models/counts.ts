import { useCallback } from "react";
import { useTranslation } from "react-i18next";

export type ModelSize = "empty" | "low" | "medium" | "high";

/** Size badge of a model (specification B section 9): Empty 0, Low under 10, Medium under 100, High otherwise. */
export function toModelSize(count: number): ModelSize {
  if (count === 0) return "empty";
  if (count < 10) return "low";
  return count < 100 ? "medium" : "high";
}

/** `1,204 objects`; an estimate has a `~` before it. */
export function useCountText(): (count: number, isEstimate: boolean) => string {
  const { t, i18n } = useTranslation();
  return (count, isEstimate) => {
    const shown = `${isEstimate ? "~" : ""}${new Intl.NumberFormat(i18n.language).format(count)}`;
    return t("models.objects", { count, shown });
  };
}

/** `1,204`; an estimate has a `~` before it. */
export function useShownCount(): (count: number, isEstimate: boolean) => string {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return useCallback(
    (count, isEstimate) => `${isEstimate ? "~" : ""}${new Intl.NumberFormat(language).format(count)}`,
    [language],
  );
}
