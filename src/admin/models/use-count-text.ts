import { useTranslation } from "react-i18next";

/** `1,204 objects`; an estimate has a `~` before it. */
export function useCountText(): (count: number, isEstimate: boolean) => string {
  const { t, i18n } = useTranslation();
  return (count, isEstimate) => {
    const shown = `${isEstimate ? "~" : ""}${new Intl.NumberFormat(i18n.language).format(count)}`;
    return t("models.objects", { count, shown });
  };
}
