import { useCustomMutation } from "@refinedev/core";
import { useQueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { AccountProfile } from "#contract/accounts/accounts.ts";
import { ownProfile } from "#contract/accounts/own-account.ts";
import type { Language } from "#contract/languages.ts";
import { AUTH_STATE_KEY, createSafeStorage, savePreferredLanguage } from "#providers/browser-storage.ts";
import { type AdminServices, useServices } from "../services.ts";
import { toErrorText } from "../ui/errors.tsx";
import { useMedia } from "../ui/viewport.ts";
import type { ColorScheme } from "./antd-theme.ts";

type ProfileChange = Partial<Pick<AccountProfile, "admin_theme" | "admin_language">>;

/**
 * Saves preferences into the signed-in person's profile, and has the session say so: here, and by its storage in all tabs.
 * Rejects with the provider's error where nothing was saved.
 */
export function useSaveProfile(): (change: ProfileChange) => Promise<void> {
  const { session } = useServices();
  const { mutateAsync } = useCustomMutation();
  return useCallback(
    async (change) => {
      const { data } = await mutateAsync({
        url: "/api/users/profile/",
        method: "put",
        values: change,
        successNotification: false,
        errorNotification: false,
      });
      ownProfile.parse(data);
      await session.restore().catch((error: unknown) => {
        // It is saved; the session learns of it the next time that it is confirmed.
        console.warn("The session could not be asked for the changed profile.", error);
      });
    },
    [mutateAsync, session],
  );
}

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

export type Theme = AccountProfile["admin_theme"];

let previewed: Theme | null = null;
const previewListeners = new Set<() => void>();

/** A theme that was just chosen, drawn before the profile has it; null: the profile's own counts. */
export function getThemePreview(): Theme | null {
  return previewed;
}

export function setThemePreview(theme: Theme | null): void {
  previewed = theme;
  for (const listener of previewListeners) listener();
}

/** @returns how to stop. */
export function subscribeThemePreview(listener: () => void): () => void {
  previewListeners.add(listener);
  return () => previewListeners.delete(listener);
}

/**
 * The theme that the signed-in person's profile names, or the one that they have just chosen; followed while it changes, and
 * set on the document.
 */
export function useProfileTheme(session: AdminServices["session"]): Theme {
  const saved = useSyncExternalStore(
    session.subscribe,
    () => session.getAuthState()?.user.profile.admin_theme ?? "auto",
  );
  const theme = useSyncExternalStore(subscribeThemePreview, getThemePreview) ?? saved;
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return theme;
}

/** The scheme to draw in: the profile's own, or for `auto` the system's. */
export function useColorScheme(theme: Theme): ColorScheme {
  const isSystemDark = useMedia("(prefers-color-scheme: dark)");
  if (theme !== "auto") return theme;
  return isSystemDark ? "dark" : "light";
}
