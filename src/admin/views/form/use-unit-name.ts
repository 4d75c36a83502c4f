import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES } from "#contract/languages.ts";
import type { InputUnit } from "./input-units.ts";

/** What the label of an input says: `Title (Turkish)`. */
export function useUnitName(): (unit: InputUnit) => string {
  const { t } = useTranslation();
  return useCallback(
    ({ field, path }) => {
      const lang = LANGUAGES.find((candidate) => candidate === path[1]);
      if (!lang) return field.verbose_name;
      return t("form.localizedLabel", { field: field.verbose_name, language: t(`languages.${lang}`) });
    },
    [t],
  );
}
