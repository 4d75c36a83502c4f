import { useTranslation } from "react-i18next";
import { LANGUAGES, toLanguage } from "#contract/languages.ts";
import { useChangeLanguage, useFollowedLanguage } from "../use-language.ts";

/** Two buttons, each named in its own language, so that nobody has to read the other one. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const changeLanguage = useChangeLanguage();
  useFollowedLanguage();
  const current = toLanguage(i18n.language);
  return (
    <fieldset className="language-switch">
      <legend className="visually-hidden">{t("layout.language")}</legend>
      {LANGUAGES.map((lang) => (
        <button
          key={lang}
          type="button"
          lang={lang}
          aria-pressed={lang === current}
          // A double click means one change; a press later on may save again what was not saved.
          onClick={({ detail }) => detail < 2 && changeLanguage(lang)}
        >
          {lang.toUpperCase()}
          <span className="visually-hidden"> – {t(`languages.own.${lang}`)}</span>
        </button>
      ))}
    </fieldset>
  );
}
