import type { ReactNode } from "react";
import { LanguageLinks } from "./language-links.tsx";
import { usePage } from "./page-context.tsx";
import { SiteLink } from "./site-link.tsx";

/** App bar, content and footer of every public page. */
export function SiteLayout({ children }: { children: ReactNode }) {
  const {
    site: { author: owner },
    path,
    today,
    t,
  } = usePage();
  return (
    <>
      <a className="skip-link" href="#content">
        {t("site:layout.skip")}
      </a>
      <header className="app-bar">
        <nav className="app-bar-row" aria-label={t("site:layout.navigation")}>
          <SiteLink className="app-bar-brand" to="/cv">
            {owner || t("site:layout.cv")}
          </SiteLink>
          <LanguageLinks />
          {path !== "/login" && (
            <SiteLink className="app-bar-link" to="/login">
              {t("site:layout.login")}
            </SiteLink>
          )}
        </nav>
      </header>
      <main id="content" className="content" tabIndex={-1}>
        {children}
      </main>
      <footer className="footer">
        <p>
          © {today.slice(0, 4)}
          {owner && ` ${owner}`}
        </p>
      </footer>
    </>
  );
}
