import { LANGUAGES } from "#contract/languages.ts";
import { usePage } from "./page-context.tsx";

/** The same page in each language, at the address that fixes the language. */
export function LanguageLinks() {
  const { lang: current, path, t } = usePage();
  const names = { en: t("site:layout.english"), tr: t("site:layout.turkish") };
  return (
    <ul className="language-links" aria-label={t("site:layout.languages")}>
      {LANGUAGES.map((lang) => (
        <li key={lang}>
          <a
            href={`/${lang}${path}`}
            lang={lang}
            hrefLang={lang}
            aria-current={lang === current ? "true" : undefined}
          >
            {lang.toUpperCase()}
            <span className="visually-hidden"> – {names[lang]}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
