import { LANGUAGES } from "#contract/languages.ts";
import { usePage } from "./page-context.tsx";

function Flag({ lang }: { lang: string }) {
  return <img className="flag" src={`/flags/${lang}.svg`} alt="" width="24" height="16" loading="lazy" />;
}

/**
 * The same page in each language, at the address that fixes the language; the loader remembers the choice
 * (ui/loader/language.ts). A native disclosure: it opens without scripts.
 */
export function LanguagePicker() {
  const { lang: current, path, t } = usePage();
  const names = { en: t("site:layout.english"), tr: t("site:layout.turkish") };
  return (
    <details className="menu" data-menu>
      <summary className="menu-button">
        <Flag lang={current} />
        <span className="visually-hidden">{`${t("site:layout.language")}: ${names[current]} `}</span>
        {current.toUpperCase()}
      </summary>
      <ul className="menu-list">
        {LANGUAGES.map((lang) => (
          <li key={lang}>
            <a
              href={`/${lang}${path}`}
              lang={lang}
              hrefLang={lang}
              data-language={lang}
              aria-current={lang === current ? "true" : undefined}
            >
              <Flag lang={lang} />
              {names[lang]}
              <span className="menu-note">{lang.toUpperCase()}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
