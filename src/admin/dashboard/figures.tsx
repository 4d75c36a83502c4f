import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";

/** Numbers in the reader's language. Shares are fractions: 0.1 is ten percent. */
export function useNumberText() {
  const { i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  return useMemo(() => {
    const count = new Intl.NumberFormat(lang);
    const compact = new Intl.NumberFormat(lang, { notation: "compact", maximumFractionDigits: 1 });
    const percent = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 0 });
    const exactPercent = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 2 });
    return {
      count: count.format,
      compact: compact.format,
      percent: percent.format,
      exactPercent: exactPercent.format,
    };
  }, [lang]);
}
