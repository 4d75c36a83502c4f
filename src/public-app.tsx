import { type ReactElement, StrictMode } from "react";
import { showsSample } from "#contract/indexing.ts";
import type { Language } from "#contract/languages.ts";
import type { PageRequest } from "#contract/page.ts";
import { createText } from "#providers/text.ts";
import { type Page, PageContext } from "./ui/page-context.tsx";
import type { PublicTextKey, PublicTexts } from "./ui/public-text.ts";
import { SiteLayout } from "./ui/site-layout.tsx";

/** Made once: a formatter costs a tenth of drawing a page. */
const DATES: Partial<Record<Language, Intl.DateTimeFormat>> = {};

export function toPage(request: PageRequest, texts: PublicTexts): Page {
  const { lang, prefix, path, today, site, data } = request;
  const dates = DATES[lang] ?? new Intl.DateTimeFormat(lang, { dateStyle: "long", timeZone: "UTC" });
  DATES[lang] = dates;
  return {
    lang,
    prefix,
    path,
    today,
    site,
    hasSample: showsSample(data, site),
    t: createText<PublicTextKey>(lang, texts),
    formatDate: (date) => dates.format(new Date(date)),
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
