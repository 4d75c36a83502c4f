import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { LANGUAGES, toLanguage } from "#contract/languages.ts";
import { toSiteAddress } from "../layout/site-address.ts";
import { useLogOut } from "../layout/use-log-out.ts";
import { useServices } from "../services.ts";
import type { Theme } from "../theme-preview.ts";
import { useProfileTheme } from "../use-color-scheme.ts";
import { useChangeLanguage } from "../use-language.ts";
import type { PaletteItem } from "./palette-item.ts";
import { useChangeTheme } from "./use-change-theme.ts";

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
