import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "#contract/languages.ts";
import { savePreferredLanguage } from "#providers/preferred-language.ts";
import { createSafeStorage } from "#providers/safe-storage.ts";

/** Changes the console's language at once; labels that come from the server are fetched again in it. */
export function useChangeLanguage(): (lang: Language) => void {
  const { i18n } = useTranslation();
  const queryClient = useQueryClient();
  return useCallback(
    (lang) => {
      savePreferredLanguage(createSafeStorage(), lang);
      document.documentElement.lang = lang;
      void i18n.changeLanguage(lang).then(() => queryClient.invalidateQueries({ queryKey: ["data"] }));
    },
    [i18n, queryClient],
  );
}
