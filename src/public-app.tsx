import { type ReactElement, StrictMode } from "react";
import type { PageRequest } from "#contract/page.ts";
import { showsSample } from "#contract/sample-note.ts";
import { createText } from "#providers/text.ts";
import { type Page, PageContext } from "./ui/page-context.tsx";
import type { PublicTextKey, PublicTexts } from "./ui/public-text.ts";
import { SiteLayout } from "./ui/site-layout.tsx";

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
