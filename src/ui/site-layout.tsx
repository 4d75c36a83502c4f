import type { ReactNode } from "react";
import { AppBar } from "./app-bar.tsx";
import { Farewell } from "./farewell.tsx";
import { usePage } from "./page-context.tsx";
import { SiteFooter } from "./site-footer.tsx";

/** App bar, content and footer of every public page. */
export function SiteLayout({ children, isLoading }: { children: ReactNode; isLoading: boolean }) {
  const { hasSample, t } = usePage();
  return (
    <>
      <a className="skip-link" href="#content">
        {t("site:layout.skip")}
      </a>
      {isLoading && (
        <div className="page-progress" role="progressbar" aria-label={t("site:layout.loading")} />
      )}
      <AppBar />
      <main id="content" className="content" tabIndex={-1} aria-busy={isLoading}>
        {hasSample && <p className="sample-note">{t("site:layout.sample")}</p>}
        <Farewell />
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
