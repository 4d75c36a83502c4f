import { LANGUAGES, type Language } from "#contract/languages.ts";
import type { PageData } from "#contract/site/pages.ts";
import type { SiteInfo } from "#contract/site/site.ts";
import headEn from "#locales/en/head.json" with { type: "json" };
import en from "#locales/en/site.json" with { type: "json" };
import headTr from "#locales/tr/head.json" with { type: "json" };
import tr from "#locales/tr/site.json" with { type: "json" };
import { PREFIXES } from "#server/http/pages/pages.ts";
import type { OpenPage, Overview } from "./service.ts";

/** One line of Markdown without markup: text of the owner is text. */
function toPlain(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>#]/g, "\\$&");
}

function toLink(name: string, address: string, note = ""): string {
  return `- [${toPlain(name)}](${address})${note && `: ${toPlain(note)}`}`;
}

function nameScreen(data: PageData, lang: Language, { words }: Overview): { name: string; note?: string } {
  const { layout, head, cv } = TEXTS[lang];
  switch (data.screen) {
    case "cv":
      return { name: cv.title, note: [data.cv.name, data.cv.title].filter(Boolean).join(" – ") };
    case "contact":
      return {
        name: layout.contact,
        note: [head.contact, words[lang].reply ?? head.contactReply].join(" ").trim(),
      };
    case "dev":
      return { name: head.devTitle, note: head.dev };
    case "text":
      return { name: data.page.title };
    default:
      throw new Error(`${data.screen} is not for search engines`);
  }
}

function toLinks(origin: string, page: OpenPage, lang: Language, overview: Overview): string[] {
  const { name, note } = nameScreen(page.data[lang], lang, overview);
  const links = [toLink(name, `${origin}/${lang}${page.path}`, note)];
  const { json, jsonNote, vcard } = TEXTS[lang].head;
  if (page.path === "/cv")
    links.push(
      toLink(json, `${origin}/cv.json?lang=${lang}`, jsonNote),
      toLink(vcard, `${origin}/cv.vcf?lang=${lang}`),
      toLink("PDF", `${origin}/cv.pdf?lang=${lang}`),
    );
  return links;
}

function findSummary(pages: readonly OpenPage[]): string {
  const cv = pages.map(({ data }) => data.en).find((data) => data.screen === "cv")?.cv;
  return cv ? [cv.title, cv.tagline].filter(Boolean).join(" – ") : "";
}

/** `/llms.txt` (llmstxt.org): who this is, in one line what they do, and the pages in both languages. */
export function buildLlms(origin: string, overview: Overview): string {
  const { site, pages } = overview;
  const summary = site.has_sample ? TEXTS.en.layout.sample : findSummary(pages);
  const names = { en: TEXTS.en.layout.english, tr: TEXTS.en.layout.turkish };
  const parts = [`# ${toPlain(site.author || new URL(origin).host)}`];
  if (summary) parts.push(`> ${toPlain(summary)}`);
  for (const lang of pages.length > 0 ? LANGUAGES : []) {
    parts.push(
      `## ${names[lang]}`,
      pages.flatMap((page) => toLinks(origin, page, lang, overview)).join("\n"),
    );
  }
  return `${parts.join("\n\n")}\n`;
}

/** Texts of the public pages and of their heads, by language. */
const TEXTS: Readonly<Record<Language, typeof en & { head: typeof headEn }>> = {
  en: { ...en, head: headEn },
  tr: { ...tr, head: headTr },
};

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

/** `--paper` of the light theme (src/ui/tokens.css): what a window shows before its page. A manifest knows one colour. */
const PAPER = "#fbfbf9";

/** `/manifest.webmanifest?lang=` (W3C Web Application Manifest). The icons are drawn (server/pictures/icons.ts). */
export function buildManifest(origin: string, { author }: Pick<SiteInfo, "author">, lang: Language): string {
  const name = author || new URL(origin).host;
  return JSON.stringify({
    id: "/",
    name,
    short_name: name,
    lang,
    dir: "ltr",
    start_url: "/cv",
    scope: "/",
    display: "minimal-ui",
    theme_color: PAPER,
    background_color: PAPER,
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    ],
  });
}

/**
 * `/robots.txt`. Pages that are not for search engines are not barred here: a crawler must be able to read their
 * `noindex`, and what is barred may still be listed by its address alone.
 */
export function buildRobots(origin: string): string {
  return `User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`;
}

/** RFC 9116 wants less than a year; whoever keeps a copy asks again in half of one. */
const SECURITY_TXT_DAYS = 180;
const DAY_MS = 24 * 60 * 60 * 1000;

/** `/.well-known/security.txt` (RFC 9116): whom to tell of a hole. */
export function buildSecurityTxt(origin: string, email: string, now: Date): string {
  const expires = new Date((Math.floor(now.getTime() / DAY_MS) + SECURITY_TXT_DAYS) * DAY_MS);
  const lines = {
    Contact: `mailto:${encodeURI(email)}`,
    Expires: expires.toISOString(),
    "Preferred-Languages": "en, tr",
    Canonical: `${origin}/.well-known/security.txt`,
  };
  return `${Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")}\n`;
}
