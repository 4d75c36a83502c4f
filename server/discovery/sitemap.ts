import { LANGUAGES } from "#contract/languages.ts";
import { PREFIXES } from "#server/http/pages/pages.ts";
import type { OpenPage } from "./service.ts";

/** Every address of a page names all of them, itself included: search engines ignore alternates that don't answer. */
function toAlternates(origin: string, path: string): string {
  const link = (hreflang: string, prefix: string) =>
    `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${origin}${prefix}${path}"/>`;
  return [...LANGUAGES.map((lang) => link(lang, `/${lang}`)), link("x-default", "")].join("");
}

function toEntries(origin: string, { path, changedAt }: OpenPage): string[] {
  const lastChange = changedAt === null ? "" : `<lastmod>${changedAt}</lastmod>`;
  const alternates = toAlternates(origin, path);
  return PREFIXES.map(
    (prefix) => `<url><loc>${origin}${prefix}${path}</loc>${lastChange}${alternates}</url>`,
  );
}

/** `/sitemap.xml` (sitemaps.org, with Google's alternates): each page at its negotiated address and at those of its languages. */
export function buildSitemap(origin: string, pages: readonly OpenPage[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...pages.flatMap((page) => toEntries(origin, page)),
    "</urlset>",
    "",
  ].join("\n");
}
