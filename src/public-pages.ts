import { cv } from "#contract/cv.ts";
import type { Language } from "#contract/languages.ts";
import type { PageData } from "#contract/page.ts";
import { PAGE_SLUGS, textPage } from "#contract/site.ts";
import { createHttp } from "#providers/http.ts";

/**
 * What a public page is drawn from, for the browser's own navigation: `/api/cv/` and `/api/pages/{slug}/`. A chunk of
 * its own, because the first page carries its data. @returns null for a path that is not one of these pages.
 * @throws HttpError when the server can't be asked or doesn't have the page.
 */
export async function loadPageData(path: string, lang: Language): Promise<PageData | null> {
  const http = createHttp({ getLanguage: () => lang });
  const slug = PAGE_SLUGS.find((known) => path === `/${known}`);
  if (slug) {
    const page = await http.request(`/api/pages/${slug}/?lang=${lang}`, { schema: textPage });
    return { screen: "text", page };
  }
  switch (path) {
    case "/cv":
      return { screen: "cv", cv: await http.request(`/api/cv/?lang=${lang}`, { schema: cv }) };
    case "/contact":
      return { screen: "contact", draft: null };
    case "/dev":
      return { screen: "dev" };
    default:
      return null;
  }
}
