import { useSyncExternalStore } from "react";
import type { Language } from "#contract/languages.ts";
import { savePreferredLanguage } from "#providers/preferred-language.ts";
import { usePage } from "../../../ui/page-context.tsx";
import { useAccountText } from "../../account-text.tsx";
import { useProfile } from "../profile-context.tsx";
import { Choice } from "./controls.tsx";
import { useSetting } from "./setting.tsx";
import {
  readThemeChoice,
  saveThemeChoice,
  THEMES,
  type ThemeChoice,
  watchThemeChoice,
} from "./theme-choice.ts";
import { useSendPart } from "./use-preference.ts";

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
