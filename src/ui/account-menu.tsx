import { usePage } from "./page-context.tsx";
import { SiteLink } from "./site-link.tsx";

/**
 * Log in, or Profile and Logout. Both are on the page, which is the same for everybody; the inline script of index.html
 * says on `<html data-session>` which one CSS shows, before anything is drawn.
 */
export function AccountMenu() {
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
