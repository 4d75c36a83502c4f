import type { Language } from "#contract/languages.ts";
import { cv, hub } from "#contract/site/cv.ts";
import type { DataOf } from "#contract/site/pages.ts";
import { textPage } from "#contract/site/site.ts";
import { createHttp } from "#providers/http/http.ts";

/**
 * What public pages are drawn from, for the browser's own moves. A chunk of its own, because the first page carries its
 * data. All reject with HttpError when the server can't be asked or doesn't have the page.
 */
export async function fetchCv(lang: Language): Promise<DataOf<"cv">> {
  const http = createHttp({ getLanguage: () => lang });
  return { screen: "cv", cv: await http.request(`/api/cv/?lang=${lang}`, { schema: cv }) };
}

export async function fetchHub(lang: Language): Promise<DataOf<"dev">> {
  const http = createHttp({ getLanguage: () => lang });
  return { screen: "dev", hub: await http.request(`/api/projects/?lang=${lang}`, { schema: hub }) };
}

/** `path` is the page's own: `/terms`. */
export async function fetchText(lang: Language, path: string): Promise<DataOf<"text">> {
  const http = createHttp({ getLanguage: () => lang });
  const page = await http.request(`/api/pages${path}/?lang=${lang}`, { schema: textPage });
  return { screen: "text", page };
}
