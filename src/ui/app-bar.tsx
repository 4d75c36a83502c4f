import { AccountMenu } from "./account-menu.tsx";
import { LanguagePicker } from "./language-picker.tsx";
import { usePage } from "./page-context.tsx";
import { SiteLink } from "./site-link.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

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
        <SiteLink className="brand" to="/cv">
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
