import { type ReactElement, type ReactNode, StrictMode, useEffect, useState } from "react";
import { type PageRequest, showsSample } from "#contract/site/pages.ts";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { createText } from "#providers/text.ts";
import { AppBar } from "./app-bar.tsx";
import { PageLink, toSocialLinks } from "./links.tsx";
import { type Page, PageContext, usePage } from "./page-context.tsx";
import type { PublicTextKey, PublicTexts } from "./public-text.ts";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const FAREWELL_KEY = "farewell";

/** For the next page of this tab: whoever comes to it has just deleted their account. */
export const markFarewell = () => tabStorage.setItem(FAREWELL_KEY, "1");

/** Says once that an account was deleted, on the page where that leads. */
export function Farewell() {
  const { path, t } = usePage();
  const [shownAt, setShownAt] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that the tab came to, not those that follow
  useEffect(() => {
    if (tabStorage.getItem(FAREWELL_KEY) === null) return;
    tabStorage.removeItem(FAREWELL_KEY);
    setShownAt(path);
  }, []);
  if (shownAt !== path) return null;
  return (
    <p className="form-status" role="status">
      {t("site:layout.accountDeleted")}
    </p>
  );
}

/** Whose site it is, where else to find them, and the small print (specification A 2.3). */
function SiteFooter() {
  const { site, today } = usePage();
  return (
    <footer className="footer">
      <p>
        © {today.slice(0, 4)}
        {site.author && ` ${site.author}`}
      </p>
      <ul className="footer-links">
        {toSocialLinks(site).map(({ name, href }) => (
          <li key={name}>
            <a href={href} rel="me noreferrer">
              {name}
            </a>
          </li>
        ))}
        {site.pages.map(
          (page) =>
            page.place === "footer" && (
              <li key={page.slug}>
                <PageLink page={page} />
              </li>
            ),
        )}
      </ul>
    </footer>
  );
}

/** App bar, content and footer of every public page. */
function SiteLayout({ children, isLoading }: { children: ReactNode; isLoading: boolean }) {
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

export function toPage(request: PageRequest, texts: PublicTexts): Page {
  const { lang, prefix, path, today, site, data } = request;
  return {
    lang,
    prefix,
    path,
    today,
    site,
    hasSample: showsSample(data, site),
    t: createText<PublicTextKey>(lang, texts),
  };
}

interface PublicAppProps {
  page: Page;
  screen: ReactElement;
  /** The next page is under way. */
  isLoading?: boolean;
}

/** A whole public page around its screen. Server and browser draw the same tree, so the browser can hydrate it. */
export function PublicApp({ page, screen, isLoading = false }: PublicAppProps) {
  return (
    <StrictMode>
      <PageContext value={page}>
        <SiteLayout isLoading={isLoading}>{screen}</SiteLayout>
      </PageContext>
    </StrictMode>
  );
}
