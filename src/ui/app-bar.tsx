import { LANGUAGES } from "#contract/languages.ts";
import { PageLink, SiteLink } from "./links.tsx";
import { usePage } from "./page-context.tsx";

/**
 * Log in, or Profile and Logout. Both are on the page, which is the same for everybody; the inline script of index.html
 * says on `<html data-session>` which one CSS shows, before anything is drawn.
 */
function AccountMenu() {
  const { t } = usePage();
  return (
    <>
      <SiteLink className="bar-link when-signed-out" to="/login">
        {t("site:layout.login")}
      </SiteLink>
      <details className="menu when-signed-in" data-menu>
        <summary className="menu-button">{t("site:layout.profile")}</summary>
        <ul className="menu-list">
          <li>
            <SiteLink to="/profile">{t("site:layout.profile")}</SiteLink>
          </li>
          <li className="when-admin">
            <a href="/admin">{t("site:layout.console")}</a>
          </li>
          <li>
            <button type="button" data-sign-out>
              {t("site:layout.logout")}
            </button>
          </li>
        </ul>
      </details>
    </>
  );
}

function Flag({ lang }: { lang: string }) {
  return <img className="flag" src={`/flags/${lang}.svg`} alt="" width="24" height="16" loading="lazy" />;
}

/**
 * The same page in each language, at the address that fixes the language; the loader remembers the choice
 * (loader/app-bar.ts). A native disclosure: it opens without scripts.
 */
function LanguagePicker() {
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

/** Switches between light and dark. The loader acts on it (loader/theme.ts); CSS shows the icon and name that fit. */
function ThemeToggle() {
  const { t } = usePage();
  return (
    <button className="icon-button needs-script" type="button" data-theme-toggle>
      <svg className="when-light" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z" />
      </svg>
      <svg className="when-dark" viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="4.2" />
        <path d="M12 2.5v2.6M12 18.9v2.6M2.5 12h2.6M18.9 12h2.6M5.3 5.3l1.8 1.8M16.9 16.9l1.8 1.8M18.7 5.3l-1.8 1.8M7.1 16.9l-1.8 1.8" />
      </svg>
      <span className="visually-hidden when-light">{t("site:layout.toDark")}</span>
      <span className="visually-hidden when-dark">{t("site:layout.toLight")}</span>
    </button>
  );
}

/** Beside the bar's other links a wide screen has room for titles of so many characters; each link takes some for itself. */
const ROOM_CHARS = 22;
const LINK_CHARS = 3;

function countFitting(titles: readonly string[]): number {
  let room = ROOM_CHARS;
  const end = titles.findIndex((title) => {
    room -= title.length + LINK_CHARS;
    return room < 0;
  });
  return end < 0 ? titles.length : end;
}

/** Pages of text in the bar: as many as there is room for, the others in a menu. One alone never stands in a menu. */
function BarPages() {
  const { site, t } = usePage();
  const pages = site.pages.filter(({ place }) => place === "bar");
  const fitting = countFitting(pages.map(({ title }) => title));
  const shown = pages.length - fitting > 1 ? fitting : pages.length;
  return (
    <>
      {pages.slice(0, shown).map((page) => (
        <li key={page.slug}>
          <PageLink page={page} className="bar-link" />
        </li>
      ))}
      {shown < pages.length && (
        <li>
          <details className="menu" data-menu>
            <summary className="menu-button">{t("site:layout.more")}</summary>
            <ul className="menu-list">
              {pages.slice(shown).map((page) => (
                <li key={page.slug}>
                  <PageLink page={page} />
                </li>
              ))}
            </ul>
          </details>
        </li>
      )}
    </>
  );
}

const MENU_ID = "site-menu";

/** The bar at the top of public pages (specification A 2.3). On small screens its links are a native popover. */
export function AppBar() {
  const { site, t } = usePage();
  const links = [
    ["/cv", t("site:layout.cv")],
    ["/contact", t("site:layout.contact")],
    ["/dev", t("site:layout.dev")],
  ] as const;
  return (
    <header className="app-bar">
      <div className="app-bar-row">
        <SiteLink className="brand" to={site.front}>
          {site.author || t("site:layout.home")}
        </SiteLink>
        <nav className="site-menu" id={MENU_ID} popover="auto" aria-label={t("site:layout.navigation")}>
          <ul className="site-menu-links">
            {links.map(([to, text]) => (
              <li key={to}>
                <SiteLink className="bar-link" to={to}>
                  {text}
                </SiteLink>
              </li>
            ))}
            <BarPages />
          </ul>
          <AccountMenu />
        </nav>
        <LanguagePicker />
        <ThemeToggle />
        <button className="icon-button menu-toggle" type="button" popoverTarget={MENU_ID}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 7h16M4 12h16M4 17h16" />
          </svg>
          <span className="visually-hidden">{t("site:layout.menu")}</span>
        </button>
      </div>
    </header>
  );
}
