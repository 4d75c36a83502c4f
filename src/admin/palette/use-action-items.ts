import { useQueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { useTranslation } from "react-i18next";
import { LANGUAGES, toLanguage } from "#contract/languages.ts";
import { toSiteAddress } from "../navigation/addresses.ts";
import {
  setThemePreview,
  type Theme,
  useChangeLanguage,
  useProfileTheme,
  useSaveProfile,
} from "../preferences/preferences.ts";
import { useServices } from "../services.ts";
import { useLogOut } from "../session/unsaved.ts";
import { toErrorText } from "../ui/errors.tsx";
import type { PaletteItem } from "./palette-item.ts";

/** Draws in a theme at once and saves it to the profile; where that fails the profile's own comes back, and a notice says so. */
function useChangeTheme(): (theme: Theme) => void {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const saveProfile = useSaveProfile();
  return (theme) => {
    setThemePreview(theme);
    saveProfile({ admin_theme: theme })
      .catch((error: unknown) => {
        notification.error({
          role: "alert",
          message: t("palette.themeFailed"),
          description: toErrorText(error, t),
        });
      })
      .finally(() => setThemePreview(null));
  };
}

const THEMES: readonly Theme[] = ["light", "dark", "auto"];

/** What the palette does without leading anywhere. */
export function useActionItems(onOpenShortcuts: () => void): PaletteItem[] {
  const { t, i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  const tOther = i18n.getFixedT(lang === "en" ? "tr" : "en");
  const theme = useProfileTheme(useServices().session);
  const changeTheme = useChangeTheme();
  const changeLanguage = useChangeLanguage();
  const queryClient = useQueryClient();
  const { logOut } = useLogOut();

  const toItem = (
    key: "refresh" | "viewSite" | "shortcuts" | "logOut" | `theme.${Theme}`,
    icon: string,
    run: () => void,
  ): PaletteItem => ({
    id: `action:${key}`,
    group: "actions",
    label: t(`palette.actions.${key}`),
    keywords: [tOther(`palette.actions.${key}`)],
    icon,
    target: { run },
  });
  return [
    // An open form keeps the record that it was opened with.
    toItem("refresh", "refresh", () => {
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !queryKey.includes("one") });
    }),
    ...THEMES.filter((other) => other !== theme).map((other) =>
      toItem(`theme.${other}`, `theme-${other}`, () => changeTheme(other)),
    ),
    ...LANGUAGES.filter((other) => other !== lang).map(
      (other): PaletteItem => ({
        id: `action:language.${other}`,
        group: "actions",
        label: t("palette.actions.language", { language: t(`languages.${other}`) }),
        keywords: [t(`languages.own.${other}`), tOther("layout.language")],
        icon: "language",
        target: { run: () => changeLanguage(other) },
      }),
    ),
    // Another document: the browser asks about typed things by itself.
    toItem("viewSite", "site", () => window.location.assign(toSiteAddress(lang))),
    { ...toItem("shortcuts", "shortcuts", onOpenShortcuts), keys: "?" },
    toItem("logOut", "log-out", logOut),
  ];
}
