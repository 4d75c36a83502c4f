/**
 * `/robots.txt`. Pages that are not for search engines are not barred here: a crawler must be able to read their
 * `noindex`, and what is barred may still be listed by its address alone.
 */
export function buildRobots(origin: string): string {
  return `User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`;
}
