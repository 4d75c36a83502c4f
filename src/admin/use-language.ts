import { useQueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { useCallback, useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "#contract/languages.ts";
import { savePreferredLanguage } from "#providers/preferred-language.ts";
import { createSafeStorage } from "#providers/safe-storage.ts";
import { AUTH_STATE_KEY } from "#providers/storage-keys.ts";
import { useSaveProfile } from "./preferences/preferences.ts";
import { useServices } from "./services.ts";
import { toErrorText } from "./ui/errors.tsx";

/** Draws the console in a language at once; labels that come from the server are fetched again in it. */
export function useShowLanguage(): (lang: Language) => void {
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

/**
 * Changes the console's language at once and saves it to the profile, whose language wins at the next start. Where that fails
 * the language stays for this visit, and a notice says so.
 */
export function useChangeLanguage(): (lang: Language) => void {
  const { i18n } = useTranslation();
  const { notification } = App.useApp();
  const show = useShowLanguage();
  const saveProfile = useSaveProfile();
  return useCallback(
    (lang) => {
      show(lang);
      saveProfile({ admin_language: lang }).catch((error: unknown) => {
        const t = i18n.getFixedT(lang);
        notification.error({
          key: "language",
          role: "alert",
          message: t("settings.languageNotSaved"),
          description: toErrorText(error, t),
        });
      });
    },
    [show, saveProfile, i18n, notification],
  );
}

/** Follows a change of the profile's language in another tab. */
export function useFollowedLanguage(): void {
  const { i18n } = useTranslation();
  const { session } = useServices();
  const show = useShowLanguage();
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key !== AUTH_STATE_KEY) return;
      const lang = session.getAuthState()?.user.profile.admin_language;
      if (lang && lang !== i18n.language) show(lang);
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [i18n, session, show]);
}
