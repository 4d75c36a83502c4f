import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";

/** Intl counts shares in fractions, mail's figures in percent. */
const PERCENT = 100;

/** Counts, and rates in percent, in the reader's language. */
export function useRateText() {
  const { i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  return useMemo(() => {
    const count = new Intl.NumberFormat(lang);
    // Two decimals, as documented (specification B section 9).
    const exact = new Intl.NumberFormat(lang, {
      style: "percent",
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    const short = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 2 });
    return {
      count: (value: number) => count.format(value),
      /** `97.20%` */
      rate: (value: number) => exact.format(value / PERCENT),
      /** Of a limit or an axis: `5%` */
      limit: (value: number) => short.format(value / PERCENT),
    };
  }, [lang]);
}
