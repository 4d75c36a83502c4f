import { useSyncExternalStore } from "react";
import type { Language } from "#contract/languages.ts";
import { type KeyStorage, savePreferredLanguage } from "#providers/browser-storage.ts";
import { usePage } from "../../../ui/page-context.tsx";
import { useAccountText } from "../../account-area.tsx";
import { useProfile } from "../own-profile.tsx";
import { Choice, useSendPart, useSetting } from "./setting.tsx";

/** The documented key and shape (specification A section 3); the page's loader acts on it (src/ui/loader/theme.ts). */
const THEME_KEY = "theme-preference";

const THEMES = ["auto", "light", "dark"] as const;
type ThemeChoice = (typeof THEMES)[number];

/** The choice of this browser, which the page shows. */
export function readThemeChoice(storage: KeyStorage): ThemeChoice {
  try {
    const saved: unknown = JSON.parse(storage.getItem(THEME_KEY) ?? "null");
    if (saved && typeof saved === "object" && "isSystem" in saved && saved.isSystem === false)
      return "isDark" in saved && saved.isDark === true ? "dark" : "light";
  } catch {
    // Something else stands under this key.
  }
  return "auto";
}

/** Remembers a choice and shows it here at once; other tabs notice it by themselves. */
export function saveThemeChoice(storage: KeyStorage, choice: ThemeChoice): void {
  const isSystem = choice === "auto";
  const isDark = isSystem ? window.matchMedia("(prefers-color-scheme: dark)").matches : choice === "dark";
  storage.setItem(THEME_KEY, JSON.stringify({ isDark, isSystem }));
  // The event that a change in another tab brings: the loader reads the choice again.
  window.dispatchEvent(new StorageEvent("storage", { key: THEME_KEY }));
}

/** Calls `listener` after the choice may have changed: by the page's own button, or in another tab. */
export function watchThemeChoice(listener: () => void): () => void {
  document.addEventListener("click", listener);
  window.addEventListener("storage", listener);
  return () => {
    document.removeEventListener("click", listener);
    window.removeEventListener("storage", listener);
  };
}

const THEME_TEXTS = {
  auto: "profile:settings.themeAuto",
  light: "profile:settings.themeLight",
  dark: "profile:settings.themeDark",
} as const;

/** Goes on at once, or after the person has agreed to lose what the next document can't keep. */
export type AskBeforeLoss = (goOn: () => void) => void;

/** The language of site, console and mails. The site is loaded in it as soon as it is saved. */
function LanguageSetting({ askBeforeLoss }: { askBeforeLoss: AskBeforeLoss }) {
  const t = useAccountText();
  const { lang } = usePage();
  const { profile, services, leaveTo } = useProfile();
  const send = useSendPart();
  const setting = useSetting<Language>(profile.admin_language ?? lang, async (chosen) => {
    await send({ admin_language: chosen });
    savePreferredLanguage(services.storage, chosen);
    leaveTo(`/${chosen}/profile?tab=settings`);
  });
  const options = [
    { value: "en", text: t("profile:settings.english") },
    { value: "tr", text: t("profile:settings.turkish") },
  ] as const;
  return (
    <Choice
      label={t("profile:settings.language")}
      hint={t("profile:settings.languageHint")}
      setting={{
        ...setting,
        choose: (chosen) => askBeforeLoss(() => setting.choose(chosen)),
        retry: () => askBeforeLoss(setting.retry),
      }}
      options={options}
    />
  );
}

/** The theme of this browser, and of the console wherever the person signs in. */
function ThemeSetting() {
  const t = useAccountText();
  const { services } = useProfile();
  const { storage } = services;
  const send = useSendPart();
  const shown = useSyncExternalStore(watchThemeChoice, () => readThemeChoice(storage));
  const setting = useSetting<ThemeChoice>(shown, (chosen) => send({ admin_theme: chosen }));
  const choose = (chosen: ThemeChoice) => {
    saveThemeChoice(storage, chosen);
    setting.choose(chosen);
  };
  return (
    <Choice
      label={t("profile:settings.theme")}
      setting={{ ...setting, choose }}
      options={THEMES.map((value) => ({ value, text: t(THEME_TEXTS[value]) }))}
    />
  );
}

export function AppearanceSettings({ askBeforeLoss }: { askBeforeLoss: AskBeforeLoss }) {
  return (
    <>
      <LanguageSetting askBeforeLoss={askBeforeLoss} />
      <ThemeSetting />
    </>
  );
}
